/**
 * The calls of a history that have no result in it yet, in the order in which the model wrote them, and how far each is.
 * A call goes open -> approved -> started -> finished, and leaves when its output is in the history.
 */
import type { FunctionCallItem } from "@tsukumo/client";
import type { JsonObject, JsonValue } from "@tsukumo/tool";

/** A call as it is run: what hooks changed is in it, the history keeps what the model wrote. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** What a call gave, before it becomes an item. `metadata` and `structured` never reach the model. */
export interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
  readonly metadata?: JsonObject;
  readonly structured?: JsonValue;
}

export type CallState =
  /** No hook has decided on it. */
  | { readonly stage: "open" }
  | { readonly stage: "approved"; readonly call: ToolCall }
  /** Running, or it was running when the process died. */
  | { readonly stage: "started"; readonly call: ToolCall }
  /** `final` results went through PostToolCall, or need not. */
  | { readonly stage: "finished"; readonly call: ToolCall; readonly result: ToolResult; readonly final: boolean };

export interface PendingCall {
  readonly item: FunctionCallItem;
  readonly state: CallState;
}

export class CallLedger {
  readonly #pending = new Map<string, PendingCall>();
  readonly #seen = new Set<string>();
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#pending.size;
  }

  pending(): PendingCall[] {
    return [...this.#pending.values()];
  }

  get(callId: string): PendingCall | undefined {
    return this.#pending.get(callId);
  }

  open(item: FunctionCallItem): void {
    this.#seen.add(item.callId);
    this.#pending.set(item.callId, { item, state: { stage: "open" } });
  }

  set(callId: string, state: CallState): void {
    const entry = this.#pending.get(callId);
    if (entry !== undefined) this.#pending.set(callId, { item: entry.item, state });
  }

  /** The call's output is in the history. False where no such call waits. */
  close(callId: string): boolean {
    return this.#pending.delete(callId);
  }

  knows(callId: string): boolean {
    return this.#seen.has(callId);
  }

  /** 2, then 3, … for one id that providers repeat: finding a free one must not cost more from call to call. */
  nextNumber(stem: string): number {
    const next = (this.#numbers.get(stem) ?? 1) + 1;
    this.#numbers.set(stem, next);
    return next;
  }
}
