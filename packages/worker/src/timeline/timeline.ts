/**
 * Gives the events of a stream to handlers, in the order of their registration. Usable alone:
 * `const timeline = new Timeline(); timeline.onBlock(TextBlock, collector); for (const e of events) timeline.dispatch(e);`
 */
import type { Block, BlockDelta, Event } from "@tsukumo/client";
import type { BlockHandler, EventHandler, HandlerFailure } from "./handler.js";
import type { BlockKind, BlockPart, EventKind } from "./kind.js";
import { onRejection } from "./rejection.js";

type Step = (event: Event) => void;
type PartSink = (part: BlockPart<Block>) => void;

/** Opens a scope for a block, or declines it. */
type Opener = (block: Block, index: number) => PartSink | undefined;

interface OpenBlock {
  readonly block: Block;
  readonly index: number;
  readonly sinks: readonly PartSink[];
}

export class Timeline {
  readonly #steps: { readonly eventType: Event["type"] | undefined; readonly step: Step }[] = [];
  readonly #openers: Opener[] = [];
  /** Keyed by (type, index): providers interleave blocks, and broken ones reuse an index for another type. */
  readonly #open = new Map<number, OpenBlock>();
  readonly #onFailure: (failure: HandlerFailure) => void;

  /** @param onFailure told of every handler that throws; without it the first one is thrown after the event is dispatched */
  constructor(onFailure?: (failure: HandlerFailure) => void) {
    this.#onFailure = onFailure ?? ((failure) => this.#failures.push(failure));
  }

  readonly #failures: HandlerFailure[] = [];

  /** True where no handler is registered. */
  get idle(): boolean {
    return this.#steps.length === 0 && this.#openers.length === 0;
  }

  /** Registers a handler of single events. Gives a function that takes it away again. */
  on<E, S>(kind: EventKind<E>, handler: EventHandler<E, S>): () => void {
    const scope = handler.scope();
    const step: Step = (event) => {
      try {
        const selected = kind.select(event);
        if (selected === undefined) return;
        onRejection(handler.onEvent(scope, selected), (error) => this.#onFailure({ kind: kind.name, error }));
      } catch (error) {
        this.#onFailure({ kind: kind.name, error });
      }
    };
    return added(this.#steps, { eventType: kind.eventType, step });
  }

  /** Registers a handler of blocks. Blocks that are open go on without it. Gives a function that takes it away again. */
  onBlock<B extends Block, S>(kind: BlockKind<B>, handler: BlockHandler<B, S>): () => void {
    const opener: Opener = (block, index) => {
      try {
        if (!kind.matches(block)) return undefined;
        return this.#sink(kind, handler, block, handler.scope(block, index));
      } catch (error) {
        this.#onFailure({ kind: kind.name, error });
        return undefined;
      }
    };
    return added(this.#openers, opener);
  }

  /** Gives one event to every handler that wants it. */
  dispatch(event: Event): void {
    for (const { eventType, step } of this.#steps) {
      if (eventType === undefined || eventType === event.type) step(event);
    }
    switch (event.type) {
      case "block_start":
        this.#start(event.block, event.index);
        break;
      case "block_delta": {
        const open = this.#find(event.index, event.delta.type) ?? this.#startImplied(event.index, event.delta.type);
        if (open !== undefined) {
          emit(open, { type: "delta", index: event.index, block: open.block, text: event.delta.text });
        }
        break;
      }
      case "block_stop": {
        const { index, stopReason, reasoning } = event;
        const more = {
          ...(stopReason === undefined ? {} : { stopReason }),
          ...(reasoning === undefined ? {} : { reasoning }),
        };
        this.#close(index, (block) => ({ type: "stop", index, block, ...more }));
        break;
      }
      case "block_abort": {
        const { index, reason } = event;
        this.#close(index, (block) => ({ type: "abort", index, block, reason }));
        break;
      }
      case "ping":
      case "usage":
      case "status":
      case "error":
      case "unhandled":
        break;
    }
    this.#throwFirstFailure();
  }

  /** Ends every open block with an abort that its handlers see. */
  abortOpenBlocks(reason: string): void {
    for (const [key, open] of this.#open) {
      this.#open.delete(key);
      emit(open, { type: "abort", index: open.index, block: open.block, reason });
    }
    this.#throwFirstFailure();
  }

  /** The blocks that have started and not ended, in the order of their starts. */
  openBlocks(): readonly { readonly index: number; readonly block: Block }[] {
    return [...this.#open.values()].map(({ index, block }) => ({ index, block }));
  }

  #sink<B extends Block, S>(kind: BlockKind<B>, handler: BlockHandler<B, S>, block: B, scope: S): PartSink {
    return (part) => {
      try {
        const report = (error: unknown) => this.#onFailure({ kind: kind.name, error });
        onRejection(handler.onEvent(scope, { ...part, block }), report);
      } catch (error) {
        this.#onFailure({ kind: kind.name, error });
      }
    };
  }

  #start(block: Block, index: number): OpenBlock {
    const key = keyOf(block.type, index);
    const previous = this.#open.get(key);
    if (previous !== undefined) {
      this.#open.delete(key);
      emit(previous, { type: "abort", index, block: previous.block, reason: "another block started at its index" });
    }
    const sinks: PartSink[] = [];
    for (const opener of this.#openers) {
      const sink = opener(block, index);
      if (sink !== undefined) sinks.push(sink);
    }
    const open: OpenBlock = { block, index, sinks };
    this.#open.set(key, open);
    emit(open, { type: "start", index, block });
    return open;
  }

  #find(index: number, delta: BlockDelta["type"]): OpenBlock | undefined {
    switch (delta) {
      case "text":
        return this.#open.get(keyOf("text", index)) ?? this.#open.get(keyOf("tool_result", index));
      case "thinking":
      case "refusal":
        return this.#open.get(keyOf(delta, index));
      case "input_json":
        return this.#open.get(keyOf("tool_use", index)) ?? this.#open.get(keyOf("server_tool_use", index));
    }
  }

  /** A delta without a start opens its block, so that handlers always see a start. A call without id and name cannot. */
  #startImplied(index: number, delta: BlockDelta["type"]): OpenBlock | undefined {
    return delta === "input_json" ? undefined : this.#start({ type: delta }, index);
  }

  #close(index: number, part: (block: Block) => BlockPart<Block>): void {
    for (const [key, open] of this.#open) {
      if (open.index !== index) continue;
      this.#open.delete(key);
      emit(open, part(open.block));
    }
  }

  #throwFirstFailure(): void {
    const [first] = this.#failures.splice(0);
    if (first !== undefined) throw first.error;
  }
}

const TYPE_ORDINAL: Record<Block["type"], number> = {
  text: 0,
  thinking: 1,
  refusal: 2,
  tool_use: 3,
  server_tool_use: 4,
  tool_result: 5,
};

function keyOf(type: Block["type"], index: number): number {
  return index * 8 + TYPE_ORDINAL[type];
}

function emit(open: OpenBlock, part: BlockPart<Block>): void {
  for (const sink of open.sinks) sink(part);
}

function added<T>(list: T[], entry: T): () => void {
  list.push(entry);
  return () => {
    const at = list.indexOf(entry);
    if (at >= 0) list.splice(at, 1);
  };
}
