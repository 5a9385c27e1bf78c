/** Whole outputs, kept for a model to read later. */
export { type MemorySpillOptions, MemorySpillSink } from "./memory.js";
export { type RecallOptions, recallTool } from "./recall.js";
export { type SpillContext, SpillError, type SpillErrorCode, type SpillSink } from "./sink.js";
export {
  type SqliteDatabase,
  type SqliteSpillOptions,
  SqliteSpillSink,
  type SqliteStatement,
  type SqliteValue,
} from "./sqlite.js";
