/** A run as an async iterator. */
import type { ErrorEvent, RetryNotice, StatusEvent, StopReason, Usage } from "@tsukumo/client";
import type { JsonValue } from "@tsukumo/tool";
import type { ToolCall, ToolResult } from "./call-ledger.js";
import type { RunResult } from "./run-result.js";
import type { WorkerSubscriber, WorkerWarning } from "./subscriber.js";
import type { Subscribers } from "./subscribers.js";

export type WorkerEvent =
  | { readonly type: "turn_start"; readonly turn: number }
  | { readonly type: "text_start"; readonly index: number }
  | { readonly type: "text_delta"; readonly index: number; readonly text: string }
  | { readonly type: "text_complete"; readonly text: string }
  | { readonly type: "thinking_start"; readonly index: number }
  | { readonly type: "thinking_delta"; readonly index: number; readonly text: string }
  | { readonly type: "thinking_complete"; readonly text: string }
  | { readonly type: "refusal_delta"; readonly index: number; readonly text: string }
  | { readonly type: "tool_call_start"; readonly index: number; readonly callId: string; readonly name: string }
  /** `partial`: the arguments so far, as a value; the same object grows. */
  | {
      readonly type: "tool_call_delta";
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly partial: JsonValue;
    }
  | { readonly type: "tool_call_complete"; readonly call: ToolCall }
  /** A block that started will not be finished; what was told of it counts no more. */
  | { readonly type: "block_abort"; readonly index: number; readonly reason: string }
  | { readonly type: "tool_start"; readonly call: ToolCall }
  | { readonly type: "tool_end"; readonly call: ToolCall; readonly isError: boolean }
  | { readonly type: "tool_result"; readonly call: ToolCall; readonly result: ToolResult }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "status"; readonly status: StatusEvent["status"] }
  | { readonly type: "error"; readonly error: ErrorEvent }
  | { readonly type: "retry"; readonly notice: RetryNotice }
  | { readonly type: "continuation"; readonly attempt: number; readonly cause: unknown }
  | { readonly type: "warning"; readonly warning: WorkerWarning }
  | { readonly type: "turn_end"; readonly turn: number; readonly stopReason: StopReason | undefined }
  | { readonly type: "finished"; readonly result: RunResult };

export class WorkerStream implements AsyncIterable<WorkerEvent> {
  /** Settles as `run()` does; the iteration ends, or throws the same error, after its last event. */
  readonly result: Promise<RunResult>;
  readonly #queue: WorkerEvent[] = [];
  readonly #cancel: (reason: string) => void;
  #settled = false;
  /** Iterations that wait: two of them share the events. */
  readonly #waiting: (() => void)[] = [];

  constructor(subscribers: Subscribers, start: () => Promise<RunResult>, cancel: (reason: string) => void) {
    this.#cancel = cancel;
    const unsubscribe = subscribers.add(this.#subscriber());
    this.result = start().finally(() => {
      unsubscribe();
      this.#settled = true;
      this.#wake();
    });
    // Whoever iterates gets the error there; `result` may stay unread.
    this.result.catch(() => undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WorkerEvent, void, undefined> {
    let ended = false;
    try {
      for (;;) {
        // Taken as a whole: shifting a long queue costs its length each time.
        for (const event of this.#queue.splice(0)) yield event;
        if (this.#queue.length > 0) continue;
        if (this.#settled) break;
        await new Promise<void>((resolve) => {
          this.#waiting.push(resolve);
        });
      }
      ended = true;
      yield { type: "finished", result: await this.result };
    } finally {
      // Where the run is over already, there may be another one by now.
      if (!ended && !this.#settled) this.#cancel("the iteration was left");
    }
  }

  #push(event: WorkerEvent): void {
    this.#queue.push(event);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #subscriber(): WorkerSubscriber {
    const push = (event: WorkerEvent): void => this.#push(event);
    return {
      onTextBlock: (_, part) => {
        const { index } = part;
        if (part.type === "start") push({ type: "text_start", index });
        else if (part.type === "delta") push({ type: "text_delta", index, text: part.text });
        else if (part.type === "abort") push({ type: "block_abort", index, reason: part.reason });
      },
      onThinkingBlock: (_, part) => {
        const { index } = part;
        if (part.type === "start") push({ type: "thinking_start", index });
        else if (part.type === "delta") push({ type: "thinking_delta", index, text: part.text });
        else if (part.type === "abort") push({ type: "block_abort", index, reason: part.reason });
      },
      onRefusalBlock: (_, part) => {
        if (part.type === "delta") push({ type: "refusal_delta", index: part.index, text: part.text });
      },
      onToolUseBlock: (_, part) => {
        const { index, block } = part;
        if (part.type === "start") push({ type: "tool_call_start", index, callId: block.id, name: block.name });
        else if (part.type === "abort") push({ type: "block_abort", index, reason: part.reason });
      },
      onPartialArguments: (_, call, partial, text) => push({ type: "tool_call_delta", ...call, text, partial }),
      onTextComplete: (text) => push({ type: "text_complete", text }),
      onThinkingComplete: (text) => push({ type: "thinking_complete", text }),
      onToolCallComplete: (call) => push({ type: "tool_call_complete", call }),
      onToolStart: (call) => push({ type: "tool_start", call }),
      onToolEnd: (call, isError) => push({ type: "tool_end", call, isError }),
      onToolResult: (call, result) => push({ type: "tool_result", call, result }),
      onUsage: (usage) => push({ type: "usage", usage }),
      onStatus: (status) => push({ type: "status", status }),
      onError: (error) => push({ type: "error", error }),
      onTurnStart: (turn) => push({ type: "turn_start", turn }),
      onTurnEnd: (turn, stopReason) => push({ type: "turn_end", turn, stopReason }),
      onRetry: (notice) => push({ type: "retry", notice }),
      onContinuation: (attempt, cause) => push({ type: "continuation", attempt, cause }),
      onWarning: (warning) => push({ type: "warning", warning }),
    };
  }
}
