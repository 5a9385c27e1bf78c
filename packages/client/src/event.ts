/** What every scheme's bytes become. Plain JSON, so that events can be logged, replayed and compared. */
import type { ReasoningData } from "./item.js";

export type Event =
  | PingEvent
  | UsageEvent
  | StatusEvent
  | ErrorEvent
  | BlockStartEvent
  | BlockDeltaEvent
  | BlockStopEvent
  | BlockAbortEvent
  | UnhandledEvent;

export interface PingEvent {
  readonly type: "ping";
}

/** Told once a response, merged from whatever the provider sent. */
export interface UsageEvent {
  readonly type: "usage";
  readonly usage: Usage;
}

export interface StatusEvent {
  readonly type: "status";
  readonly status: "started" | "completed" | "cancelled" | "failed";
}

/** An error that the provider told inside the stream. */
export interface ErrorEvent {
  readonly type: "error";
  readonly code?: string;
  readonly message: string;
}

/** Opens a block. `index` counts the blocks of one response from 0. */
export interface BlockStartEvent {
  readonly type: "block_start";
  readonly index: number;
  readonly block: Block;
}

export interface BlockDeltaEvent {
  readonly type: "block_delta";
  readonly index: number;
  readonly delta: BlockDelta;
}

export interface BlockStopEvent {
  readonly type: "block_stop";
  readonly index: number;
  /** Why the response ended; on the last block of a response, and only there. */
  readonly stopReason?: StopReason;
  readonly reasoning?: ReasoningData;
}

/**
 * Closes a block that will not be finished. `reason` is `stream_ended`, `aborted` (by the caller), `error` (told by the
 * provider, in an `error` event) or the code of a ClientError.
 */
export interface BlockAbortEvent {
  readonly type: "block_abort";
  readonly index: number;
  readonly reason: string;
}

/** A provider event that has no meaning here; it never kills a stream. `data` is its text as received. */
export interface UnhandledEvent {
  readonly type: "unhandled";
  readonly name: string;
  readonly data: string;
}

export type Block =
  | { readonly type: "text" }
  | { readonly type: "thinking" }
  | { readonly type: "refusal" }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string }
  /**
   * A call of a tool that the provider runs itself: never to be executed. Like `tool_result` and like a `thinking` block
   * without text, it carries on its stop what the provider wants back: keep it as a reasoning item.
   */
  | { readonly type: "server_tool_use"; readonly id: string; readonly name: string }
  /** The result of a tool that the provider ran itself. */
  | { readonly type: "tool_result"; readonly toolUseId: string; readonly name?: string };

export interface BlockDelta {
  readonly type: "text" | "thinking" | "input_json" | "refusal";
  readonly text: string;
}

export type StopReason =
  | "end_turn"
  | "max_tokens"
  | "stop_sequence"
  | "tool_use"
  | "refusal"
  | "pause"
  | "content_filter"
  | "context_exceeded"
  | "other";

/** Token counts. `inputTokens` covers the whole prompt; cache reads and writes are parts of it, reasoning a part of the output. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}
