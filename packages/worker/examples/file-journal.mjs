/** A journal in a file, one entry a line, each on the disk before it happens. */
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { replayJournal } from "@tsukumo/worker";

/**
 * Opens a journal for writing. What a crash cut off at its end goes, so that the next entry begins a line.
 * @param {string} path
 * @returns {import("@tsukumo/worker").Journal & { close(): void }}
 */
export function openFileJournal(path) {
  if (existsSync(path)) truncateSync(path, wholeLines(path).length);
  const file = openSync(path, "a");
  return {
    append(entry) {
      writeSync(file, `${JSON.stringify(entry)}\n`);
      fdatasyncSync(file);
    },
    close: () => closeSync(file),
  };
}

/**
 * The session that a journal holds, for `Worker.resume`.
 * @param {string} path
 * @returns {import("@tsukumo/worker").WorkerSnapshot}
 */
export function readFileJournal(path) {
  const lines = wholeLines(path).toString("utf8").split("\n").slice(0, -1);
  return replayJournal(lines.map((line) => JSON.parse(line)));
}

/** @param {string} path */
function wholeLines(path) {
  const bytes = readFileSync(path);
  return bytes.subarray(0, bytes.lastIndexOf(10) + 1);
}
