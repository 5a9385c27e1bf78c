/** One response, from events to items, in the order of its blocks. */
import type { Block, ContentPart, Event, Item, ReasoningData, StopReason, Usage } from "@tsukumo/client";
import { deepFreeze } from "./history.js";
import { parseArguments } from "./timeline/tool-call-collector.js";
import { mergeUsage } from "./usage.js";

interface Slot {
  readonly index: number;
  readonly block: Block;
  text: string;
  state: "open" | "stopped" | "aborted";
  reasoning: ReasoningData | undefined;
}

export class ResponseCollector {
  readonly #slots: Slot[] = [];
  #failed = false;
  stopReason: StopReason | undefined;
  usage: Usage | undefined;
  eventCount = 0;
  /** What the provider told as an error. */
  error: { readonly code?: string; readonly message: string } | undefined;

  take(event: Event): void {
    this.eventCount += 1;
    switch (event.type) {
      case "block_start":
        this.#open(event.index, event.block);
        break;
      case "block_delta": {
        const slot = this.#slot(event.index) ?? this.#openImplied(event.index, event.delta.type);
        if (slot !== undefined) slot.text += event.delta.text;
        break;
      }
      case "block_stop": {
        const slot = this.#slot(event.index);
        if (slot !== undefined) {
          slot.state = "stopped";
          slot.reasoning = event.reasoning;
        }
        if (event.stopReason !== undefined) this.stopReason = event.stopReason;
        break;
      }
      case "block_abort": {
        const slot = this.#slot(event.index);
        if (slot !== undefined) slot.state = "aborted";
        break;
      }
      case "usage":
        this.usage = this.usage === undefined ? event.usage : mergeUsage(this.usage, event.usage);
        break;
      case "error":
        this.error ??= event;
        break;
      case "status":
        // Also how a decoder closes a stream that broke off; the client's own error, which says more, comes after it.
        if (event.status === "failed" || event.status === "cancelled") this.#failed = true;
        break;
      case "ping":
      case "unhandled":
        break;
    }
  }

  /** The call that a block writes; undefined for another block. */
  callAt(index: number): Extract<Block, { type: "tool_use" }> | undefined {
    const block = this.#slot(index)?.block;
    return block?.type === "tool_use" ? block : undefined;
  }

  /** True where every block that started has stopped, and nobody said that the response failed. */
  get whole(): boolean {
    return !this.#failed && this.#slots.every((slot) => slot.state === "stopped");
  }

  /** The response as the model finished it. Reasoning at its end stays where the provider wants to go on from it. */
  items(): Item[] {
    const stopped = this.#slots.filter((slot) => slot.state === "stopped");
    return itemsOf(this.stopReason === "pause" ? stopped : endingAt(stopped, (slot) => !isThought(slot)));
  }

  /**
   * What an interrupted response leaves: its finished text blocks and what the provider finished by itself (results of
   * its own tools, compactions), with the finished reasoning before them. What comes after the last of them is dropped,
   * because providers refuse reasoning that nothing follows, and a use of their own tools without its result.
   * Unfinished blocks and all calls are dropped: half a call must not run, and a whole one belongs to an answer that
   * was never finished.
   */
  itemsOfInterrupted(): Item[] {
    const finished = this.#slots.filter(({ state, block }) => state === "stopped" && block.type !== "tool_use");
    return itemsOf(endingAt(finished, isComplete));
  }

  /**
   * What a response leaves that stopped early of itself (`max_tokens`): as `items()`, without a call whose arguments
   * were cut off.
   */
  itemsOfCutShort(): Item[] {
    const whole = this.#slots.filter(
      (slot, at) =>
        slot.state === "stopped" &&
        (slot.block.type !== "tool_use" ||
          (parseArguments(slot.text) !== undefined && (slot.text !== "" || at < this.#slots.length - 1))),
    );
    return itemsOf(endingAt(whole, isComplete));
  }

  /** Text of blocks that did not finish. */
  unfinishedText(): string {
    return this.#slots
      .filter(({ state, block }) => state !== "stopped" && block.type === "text")
      .map((slot) => slot.text)
      .join("");
  }

  #open(index: number, block: Block): Slot {
    const slot: Slot = { index, block, text: "", state: "open", reasoning: undefined };
    this.#slots.push(slot);
    return slot;
  }

  #openImplied(index: number, delta: "text" | "thinking" | "refusal" | "input_json"): Slot | undefined {
    return delta === "input_json" ? undefined : this.#open(index, { type: delta });
  }

  /** The last block that started at the index, while it is open. Streams write at their end, so the search is short. */
  #slot(index: number): Slot | undefined {
    for (let at = this.#slots.length - 1; at >= 0; at--) {
      const slot = this.#slots[at];
      if (slot?.index === index) return slot.state === "open" ? slot : undefined;
    }
    return undefined;
  }
}

/** Neighbouring text and refusal blocks become the parts of one message. */
function itemsOf(slots: readonly Slot[]): Item[] {
  const items: Item[] = [];
  let parts: ContentPart[] = [];
  const endMessage = (): void => {
    if (parts.length > 0) items.push({ type: "message", role: "assistant", content: parts });
    parts = [];
  };
  for (const { block, text, reasoning } of slots.filter(leavesItem)) {
    const more = reasoning === undefined ? {} : { reasoning };
    switch (block.type) {
      case "text":
        parts.push({ type: "output_text", text, ...more });
        break;
      case "refusal":
        parts.push({ type: "refusal", refusal: text });
        break;
      case "thinking":
        endMessage();
        items.push({ type: "reasoning", text, ...more });
        break;
      case "tool_use":
        endMessage();
        items.push({ type: "function_call", callId: block.id, name: block.name, arguments: text, ...more });
        break;
      case "server_tool_use":
      case "tool_result":
        // The provider ran this tool itself and wants the block back as it was.
        endMessage();
        items.push({ type: "reasoning", text: "", ...more });
        break;
    }
  }
  endMessage();
  return deepFreeze(items);
}

/** The slots up to the last one that may be the end of an answer. */
function endingAt(slots: readonly Slot[], mayEnd: (slot: Slot) => boolean): readonly Slot[] {
  const last = slots.findLastIndex((slot) => leavesItem(slot) && mayEnd(slot));
  return slots.slice(0, last + 1);
}

function leavesItem({ block, text, reasoning }: Slot): boolean {
  switch (block.type) {
    case "tool_use":
      return true;
    case "refusal":
      return text !== "";
    case "text":
    case "thinking":
      return text !== "" || reasoning !== undefined;
    case "server_tool_use":
    case "tool_result":
      return reasoning !== undefined;
  }
}

/** Reasoning of the model itself; the provider's own doings (a compaction) come as thinking blocks without any. */
function isThought({ block, text, reasoning }: Slot): boolean {
  if (block.type !== "thinking") return false;
  if (text !== "" || reasoning?.extra === undefined) return true;
  const { id, signature, encrypted, summary } = reasoning;
  return [id, signature, encrypted, summary].some((data) => data !== undefined);
}

/** Neither reasoning nor a use of the provider's own tools, whose result would have come next. */
function isComplete(slot: Slot): boolean {
  return !isThought(slot) && slot.block.type !== "server_tool_use";
}
