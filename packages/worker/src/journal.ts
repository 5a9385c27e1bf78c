/**
 * Everything that changes a session, as entries that are written BEFORE they happen. Replaying a journal gives the
 * session as it was when the process died.
 */
import type { Item, LlmToolDefinition, RequestConfig, StopReason, Usage } from "@tsukumo/client";
import type { JsonObject } from "@tsukumo/tool";
import type { CallState } from "./call-ledger.js";
import type { WorkerSnapshot } from "./snapshot.js";

export interface Journal {
  /**
   * Writes one entry. Return when it is safe from a crash (a promise, or nothing for a synchronous write): a tool starts
   * only after its entry was written. Entries arrive in order; several may be under way at once.
   * @throws whatever went wrong; the run ends with `JournalFailed` and the entry's change does not happen
   */
  append(entry: JournalEntry): void | Promise<void>;
}

/** Plain JSON, one line each in a file. */
export type JournalEntry =
  /** The whole session; the first entry of a journal. */
  | { readonly type: "session"; readonly snapshot: WorkerSnapshot }
  /** Input that waits until the open calls have their outputs. */
  | { readonly type: "queue"; readonly items: readonly Item[] }
  /** Items appended to the history; `dequeued` of the waiting input are among them. */
  | { readonly type: "items"; readonly items: readonly Item[]; readonly dequeued?: number }
  | { readonly type: "call"; readonly callId: string; readonly state: CallState }
  /** A response is over: its items join the history. `interrupted`: it broke off, and its text is to be continued. */
  | {
      readonly type: "turn";
      readonly items: readonly Item[];
      readonly usage: Usage;
      readonly stopReason?: StopReason;
      readonly interrupted?: boolean;
    }
  /** From now on, requests leave the outputs of these calls out. */
  | { readonly type: "prune"; readonly callIds: readonly string[] }
  | { readonly type: "shared_state"; readonly values: JsonObject }
  | { readonly type: "system_prompt"; readonly text: string | null }
  | { readonly type: "config"; readonly config: RequestConfig }
  | { readonly type: "history"; readonly items: readonly Item[] }
  | { readonly type: "lock"; readonly tools: readonly LlmToolDefinition[] }
  | { readonly type: "unlock" };
