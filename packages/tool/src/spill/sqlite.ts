/** Outputs kept in an SQLite database that the program opened: node:sqlite's DatabaseSync or better-sqlite3's Database. */
import { randomRef } from "./ref.js";
import { type SpillContext, SpillError, type SpillSink } from "./sink.js";

/** What both libraries have in common. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
}

export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown;
  get(...values: SqliteValue[]): unknown;
}

export type SqliteValue = string | number | null | Uint8Array;

export interface SqliteSpillOptions {
  /** Of one output, in UTF-8; 64 MB unless given. */
  readonly maxBytes?: number;
  /** Of all outputs; 1 GB unless given. The oldest are given up for new ones. */
  readonly maxTotalBytes?: number;
}

/** Bytes and not text, which SQLite ends at the first NUL. */
const SCHEMA = `CREATE TABLE IF NOT EXISTS tsukumo_spill (
  id INTEGER PRIMARY KEY AUTOINCREMENT, ref TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, tag TEXT,
  bytes INTEGER NOT NULL, kept_at INTEGER NOT NULL, content BLOB)`;

/** The rows that must go so that the newest fit. */
const EVICT = `DELETE FROM tsukumo_spill WHERE id IN (
  SELECT id FROM (SELECT id, SUM(bytes) OVER (ORDER BY id DESC) AS total FROM tsukumo_spill) WHERE total > ?)`;

export class SqliteSpillSink implements SpillSink {
  readonly #database: SqliteDatabase;
  readonly #maxBytes: number;
  readonly #maxTotalBytes: number;

  /** Makes the table `tsukumo_spill` where there is none. @throws what the database throws */
  constructor(database: SqliteDatabase, options: SqliteSpillOptions = {}) {
    this.#database = database;
    this.#maxBytes = options.maxBytes ?? 64_000_000;
    this.#maxTotalBytes = options.maxTotalBytes ?? 1_000_000_000;
    database.exec(SCHEMA);
  }

  /** @throws {SpillError} `CapacityExceeded` or `StorageFailed` */
  spill({ toolName, tag }: SpillContext, text: string): string {
    const content = new TextEncoder().encode(text);
    const limit = Math.min(this.#maxBytes, this.#maxTotalBytes);
    if (content.length > limit) throw SpillError.capacity(limit, content.length);
    const ref = randomRef();
    try {
      this.#database
        .prepare("INSERT INTO tsukumo_spill (ref, tool, tag, bytes, kept_at, content) VALUES (?, ?, ?, ?, ?, ?)")
        .run(ref, toolName, tag ?? null, content.length, Date.now(), content);
      this.#database.prepare(EVICT).run(this.#maxTotalBytes);
      return ref;
    } catch (cause) {
      throw storageFailed(cause);
    }
  }

  /** @throws {SpillError} `StorageFailed` */
  recall(ref: string): string | undefined {
    try {
      const row = this.#database.prepare("SELECT content FROM tsukumo_spill WHERE ref = ?").get(ref);
      if (typeof row !== "object" || row === null || !("content" in row)) return undefined;
      // node:sqlite keeps an empty array as NULL.
      if (row.content === null) return "";
      if (!(row.content instanceof Uint8Array)) return undefined;
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(row.content);
    } catch (cause) {
      throw storageFailed(cause);
    }
  }
}

function storageFailed(cause: unknown): SpillError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SpillError("StorageFailed", `The database failed: ${reason}`, { cause });
}
