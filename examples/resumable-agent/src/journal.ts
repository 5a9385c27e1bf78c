/** A session's journal in SQLite, one row an entry. */
import { type Journal, type JournalEntry, replayJournal, type WorkerSnapshot } from "@tsukumo/worker";
import type { Database } from "./database.js";

/** An entry is on the disk when `append` returns: the worker does nothing before it is. */
export function sqliteJournal(db: Database, session: string): Journal {
  const insert = db.prepare("INSERT INTO journal (session, entry) VALUES (?, ?)");
  return {
    append: (entry) => void insert.run(session, JSON.stringify(entry)),
  };
}

/** Where the session stands; undefined where it never began. */
export function savedSession(db: Database, session: string): WorkerSnapshot | undefined {
  const rows = db.prepare("SELECT entry FROM journal WHERE session = ? ORDER BY id").all(session);
  const entries = rows.map(({ entry }): JournalEntry => JSON.parse(String(entry)));
  return entries.length === 0 ? undefined : replayJournal(entries);
}
