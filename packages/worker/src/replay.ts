/** A journal back to the session that wrote it. */
import { WorkerError } from "./errors.js";
import type { JournalEntry } from "./journal.js";
import { SessionState } from "./session-state.js";
import type { WorkerSnapshot } from "./snapshot.js";

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
