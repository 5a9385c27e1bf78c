/** A session as plain JSON, for another process or another day. Tools, hooks and the client are code: give them again. */
import type { FunctionCallItem, Item, LlmToolDefinition, RequestConfig, Usage } from "@tsukumo/client";
import type { JsonObject } from "@tsukumo/tool";
import type { CallState } from "./call-ledger.js";
import { WorkerError } from "./errors.js";
import type { JournalEntry } from "./journal.js";
import { SessionState } from "./session-state.js";

export const SNAPSHOT_VERSION = 1;

export interface WorkerSnapshot {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly conversationId: string;
  readonly systemPrompt?: string;
  readonly config: RequestConfig;
  readonly history: readonly Item[];
  /** Calls without an output in the history that have got further than `open`. */
  readonly calls: readonly { readonly callId: FunctionCallItem["callId"]; readonly state: CallState }[];
  /** Input that was accepted and waits for open calls. */
  readonly queued: readonly Item[];
  /** Present while locked: how many items the lock protects, and the tools that every request tells. */
  readonly lock?: { readonly prefixLength: number; readonly tools: readonly LlmToolDefinition[] };
  /** The last answer broke off, and a part of it is in the history. */
  readonly interrupted: boolean;
  /** Calls whose outputs requests leave out. */
  readonly pruned?: readonly string[];
  readonly turns: number;
  readonly usage: Usage;
  readonly sharedState: JsonObject;
}

/**
 * The snapshot that a journal amounts to. A last entry that the crash cut in half must be left out by the one who reads
 * the journal (`JSON.parse` refuses it).
 * @throws {WorkerError} `InvalidSnapshot`
 */
export function replayJournal(entries: Iterable<JournalEntry>): WorkerSnapshot {
  let state: SessionState | undefined;
  for (const entry of entries) {
    if (entry.type === "session") state = SessionState.restore(entry.snapshot);
    else if (state === undefined) throw new WorkerError("InvalidSnapshot", "A journal begins with a session entry.");
    else state.apply(entry);
  }
  if (state === undefined) throw new WorkerError("InvalidSnapshot", "The journal has no entries.");
  return state.snapshot();
}
