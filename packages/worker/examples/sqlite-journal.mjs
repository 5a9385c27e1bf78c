/**
 * Journals in a SQLite table, one row an entry. Takes the database of `node:sqlite` (Node 22.5 and later) or of
 * `better-sqlite3`; both are synchronous, so an entry is written when `append` returns.
 */
import { replayJournal } from "@tsukumo/worker";

/**
 * @typedef {{ run(...values: unknown[]): unknown, all(...values: unknown[]): unknown[] }} Statement
 * @typedef {{ exec(sql: string): unknown, prepare(sql: string): Statement }} Database
 */

/**
 * @param {Database} db
 * @param {string} conversationId
 * @returns {import("@tsukumo/worker").Journal}
 */
export function sqliteJournal(db, conversationId) {
  prepareTable(db);
  const insert = db.prepare("INSERT INTO journal (conversation, entry) VALUES (?, ?)");
  return {
    append(entry) {
      insert.run(conversationId, JSON.stringify(entry));
    },
  };
}

/**
 * The session that a journal holds, for `Worker.resume`.
 * @param {Database} db
 * @param {string} conversationId
 * @returns {import("@tsukumo/worker").WorkerSnapshot}
 */
export function readSqliteJournal(db, conversationId) {
  prepareTable(db);
  const rows = db.prepare("SELECT entry FROM journal WHERE conversation = ? ORDER BY id").all(conversationId);
  return replayJournal(rows.map((row) => JSON.parse(Object(row).entry)));
}

/** @param {Database} db */
function prepareTable(db) {
  db.exec(
    "CREATE TABLE IF NOT EXISTS journal (id INTEGER PRIMARY KEY, conversation TEXT NOT NULL, entry TEXT NOT NULL)",
  );
}
