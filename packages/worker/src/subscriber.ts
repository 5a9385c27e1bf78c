/** What an interface wants to know of a run while it goes on. Every method is optional. */
import type { ConfigWarning, ErrorEvent, Item, RetryNotice, StatusEvent, StopReason, Usage } from "@tsukumo/client";
import type { JsonValue } from "@tsukumo/tool";
import type { ToolCall, ToolResult } from "./call-ledger.js";
import type { WorkerError } from "./errors.js";
import type { RunResult } from "./run-result.js";
import type { BlockOf, BlockPart } from "./timeline/kind.js";

export type ScopedBlock = BlockOf<"text"> | BlockOf<"thinking"> | BlockOf<"refusal"> | BlockOf<"tool_use">;

/** What is told beside the blocks: the arguments of each callback. */
export interface SubscriberEvents {
  /** The tool begins to run. */
  onToolStart: [call: ToolCall];
  /** The tool is done (or was given up); its result follows when the whole batch is done. */
  onToolEnd: [call: ToolCall, isError: boolean];
  /** What the model will be told, for every call, in the calls' order. */
  onToolResult: [call: ToolCall, result: ToolResult];
  /** Once a response, with all that the provider reported. */
  onUsage: [usage: Usage];
  onStatus: [status: StatusEvent["status"]];
  /** An error that the provider told in the stream. */
  onError: [error: ErrorEvent];
  /** Items that joined the history: the input, an answer, the outputs of a batch. */
  onHistoryAppend: [items: readonly Item[]];
  onTurnStart: [turn: number];
  /** For every turn that started, also one that failed (then without a stop reason). */
  onTurnEnd: [turn: number, stopReason: StopReason | undefined];
  /** The client will send the request again. */
  onRetry: [notice: RetryNotice];
  /** The answer broke off and is asked for again, for the `attempt`th time in a row. */
  onContinuation: [attempt: number, cause: unknown];
  onWarning: [warning: WorkerWarning];
  onRunEnd: [outcome: { readonly result: RunResult } | { readonly error: WorkerError }];
}

export type EventCallbacks = { [N in keyof SubscriberEvents]?: (...args: SubscriberEvents[N]) => void };

export interface SubscriberCallbacks<S> extends EventCallbacks {
  onTextBlock?(scope: S, part: BlockPart<BlockOf<"text">>): void;
  onThinkingBlock?(scope: S, part: BlockPart<BlockOf<"thinking">>): void;
  onRefusalBlock?(scope: S, part: BlockPart<BlockOf<"refusal">>): void;
  onToolUseBlock?(scope: S, part: BlockPart<BlockOf<"tool_use">>): void;
  /**
   * After each delta: the arguments as far as they are written. The same object grows; copy it to keep a moment.
   * `partialArguments` of `@tsukumo/tool/runtime` makes typed values of it where the tool is a generated one.
   */
  onPartialArguments?(
    scope: S,
    call: { readonly callId: string; readonly name: string },
    value: JsonValue,
    delta: string,
  ): void;
  /** A finished text block, after its stop; an empty one too. Nothing is told of an aborted block. */
  onTextComplete?(text: string): void;
  onThinkingComplete?(text: string): void;
  /** A call that the model finished writing; whether it runs is decided later. */
  onToolCallComplete?(call: ToolCall): void;
}

/**
 * Callbacks run while the stream is read, so keep them short; what they throw is reported as a warning and stops nobody.
 * `S` is the scope: made fresh by `newScope` for each block, keyed by its type and index.
 */
export type WorkerSubscriber<S = undefined> = SubscriberCallbacks<S> &
  (undefined extends S
    ? { newScope?(block: ScopedBlock, index: number): S }
    : { newScope(block: ScopedBlock, index: number): S });

/** Something that did not stop the run and that somebody should know. */
export interface WorkerWarning {
  readonly code: "config" | "subscriber_failed" | "handler_failed" | "hook_failed" | "truncate_failed";
  readonly message: string;
  readonly cause?: unknown;
  /** For `config`. */
  readonly option?: ConfigWarning["option"];
}
