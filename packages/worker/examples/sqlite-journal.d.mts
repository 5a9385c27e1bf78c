import type { Journal, WorkerSnapshot } from "@tsukumo/worker";

export interface Statement {
  run(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
}

export function sqliteJournal(db: Database, conversationId: string): Journal;
export function readSqliteJournal(db: Database, conversationId: string): WorkerSnapshot;
