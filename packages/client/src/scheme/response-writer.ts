/** What every scheme's parser writes to: keeps the promises of the Event union, whatever the provider does. */
import type { Block, BlockDelta, BlockStopEvent, Event, StopReason, Usage } from "../event.js";
import type { ReasoningData } from "../item.js";

interface OpenBlock {
  readonly block: Block;
  closed: boolean;
}

interface HeldStop {
  readonly index: number;
  readonly reasoning: ReasoningData | undefined;
}

type MutableStop = { -readonly [Name in keyof BlockStopEvent]: BlockStopEvent[Name] };
type Phase = "waiting" | "started" | "ended";

export class ResponseWriter {
  #events: Event[] = [];
  #blocks: OpenBlock[] = [];
  /** The stop of what may be the last block: it waits for the stop reason, which some wires tell later. */
  #held: HeldStop | undefined;
  #counts: MutableCounts | undefined;
  #stopReason: StopReason | undefined;
  #reasonTold = false;
  #phase: Phase = "waiting";
  #touched = false;

  /** The events since the last call. */
  take(): Event[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  get ended(): boolean {
    return this.#phase === "ended";
  }

  /** Something of the response has been understood. */
  get begun(): boolean {
    return this.#touched || this.#phase !== "waiting";
  }

  /** The response has begun; only the first call tells it. */
  start(): void {
    if (this.#phase !== "waiting") return;
    this.#phase = "started";
    this.#events.push({ type: "status", status: "started" });
  }

  ping(): void {
    this.#touched = true;
    this.#events.push({ type: "ping" });
  }

  unhandled(name: string, data: string): void {
    this.#touched = true;
    this.unread(name, data);
  }

  /** As `unhandled`, for what may not even be of this wire format: alone it does not begin a response. */
  unread(name: string, data: string): void {
    this.#events.push({ type: "unhandled", name, data });
  }

  /** Opens a block and gives its index. */
  open(block: Block): number {
    this.start();
    this.#releaseHeld(undefined);
    const index = this.#blocks.length;
    this.#blocks.push({ block, closed: false });
    this.#events.push({ type: "block_start", index, block });
    return index;
  }

  delta(index: number, type: BlockDelta["type"], text: string): void {
    if (text !== "") this.#events.push({ type: "block_delta", index, delta: { type, text } });
  }

  /** The provider has finished a block. Its event waits for the next block or the end, because it may be the last one. */
  stop(index: number, reasoning?: ReasoningData): void {
    const open = this.#blocks[index];
    if (open === undefined || open.closed) return;
    open.closed = true;
    this.#releaseHeld(undefined);
    this.#held = { index, reasoning };
    if (this.#stopReason !== undefined && this.#openIndices().length === 0) this.#releaseHeld(this.#stopReason);
  }

  /**
   * Why the response ends. Closes the last block; a response without blocks gets an empty text block, so that its
   * reason is told all the same.
   */
  stopReason(reason: StopReason): void {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    if (this.#openIndices().length > 0) return;
    if (this.#blocks.length === 0) this.stop(this.open({ type: "text" }));
    else this.#releaseHeld(reason);
  }

  get hasStopReason(): boolean {
    return this.#stopReason !== undefined;
  }

  /** Merges counts: a later value replaces an earlier one of the same name. */
  usage(counts: Counts): void {
    for (const name of COUNT_NAMES) {
      const count = counts[name];
      if (count === undefined) continue;
      this.#counts ??= noCounts();
      this.#counts[name] = count;
    }
  }

  /** The provider said that the response is complete. */
  complete(): void {
    if (this.#phase === "ended") return;
    this.start();
    for (const index of this.#openIndices()) this.stop(index);
    this.#finish("completed");
  }

  /** An error that the provider told; it ends the response. */
  error(message: string, code?: string): void {
    if (this.#phase === "ended") return;
    this.#events.push(code === undefined ? { type: "error", message } : { type: "error", code, message });
    this.fail("error");
  }

  /** The response ends unfinished: what is open is aborted. */
  fail(reason: string): void {
    if (this.#phase === "ended") return;
    this.#releaseHeld(undefined);
    for (const index of this.#openIndices()) {
      const open = this.#blocks[index];
      if (open !== undefined) open.closed = true;
      this.#events.push({ type: "block_abort", index, reason });
    }
    this.#finish("failed");
  }

  #finish(status: "completed" | "failed"): void {
    this.#releaseHeld(undefined);
    if (this.#counts !== undefined) this.#events.push({ type: "usage", usage: toUsage(this.#counts) });
    this.#events.push({ type: "status", status });
    this.#phase = "ended";
  }

  #openIndices(): number[] {
    const indices: number[] = [];
    for (let i = 0; i < this.#blocks.length; i++) if (this.#blocks[i]?.closed === false) indices.push(i);
    return indices;
  }

  #releaseHeld(reason: StopReason | undefined): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    const stop: MutableStop = { type: "block_stop", index: held.index };
    // A block that a server sends after its stop reason does not repeat the reason.
    if (reason !== undefined && !this.#reasonTold) {
      this.#reasonTold = true;
      stop.stopReason = reason;
    }
    if (held.reasoning !== undefined) stop.reasoning = held.reasoning;
    this.#events.push(stop);
  }
}

/** What a provider told of its counts. */
export type Counts = { readonly [Name in keyof Usage]?: number | undefined };

type MutableCounts = { -readonly [Name in keyof Usage]-?: number | undefined };
type MutableUsage = { -readonly [Name in keyof Usage]: number };

const COUNT_NAMES = [
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const satisfies readonly (keyof Usage)[];

function noCounts(): MutableCounts {
  return {
    inputTokens: undefined,
    outputTokens: undefined,
    totalTokens: undefined,
    cacheReadTokens: undefined,
    cacheWriteTokens: undefined,
    reasoningTokens: undefined,
  };
}

/** Only what was told, and the total where it follows from it. */
function toUsage(counts: MutableCounts): Usage {
  const { inputTokens, outputTokens } = counts;
  if (inputTokens !== undefined && outputTokens !== undefined) counts.totalTokens ??= inputTokens + outputTokens;
  const usage: MutableUsage = {};
  for (const name of COUNT_NAMES) {
    const count = counts[name];
    if (count !== undefined) usage[name] = count;
  }
  return usage;
}
