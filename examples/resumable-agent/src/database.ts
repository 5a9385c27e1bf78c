/** One file holds the journals, the customers and what was sent. */
// The API of node:sqlite, for Node 20 too. From Node 22.13, import it from there and drop the dependency.
import { DatabaseSync } from "@photostructure/sqlite";

export type Database = InstanceType<typeof DatabaseSync>;

/** Journals outlive a killed process; with `synchronous = FULL` they outlive a power cut too. */
export function openDatabase(path: string): Database {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS journal (id INTEGER PRIMARY KEY, session TEXT NOT NULL, entry TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS customers (name TEXT PRIMARY KEY, owes_yen INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS sent (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, yen INTEGER NOT NULL);
    INSERT OR IGNORE INTO customers VALUES ('Aoki', 12000), ('Baba', 8400), ('Chiba', 31000), ('Doi', 5600);
  `);
  return db;
}

/**
 * Keeps other processes away until it is closed or the process ends, however it ends.
 * @throws where another process has it: two that go on with one session would send everything twice
 */
export function lock(path: string): Database {
  const db = new DatabaseSync(path);
  db.exec("BEGIN EXCLUSIVE");
  return db;
}
