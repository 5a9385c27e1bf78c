/** A session on disk, so that a later run goes on with it. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { WorkerSnapshot } from "@tsukumo/worker";
import { CliError } from "./failure.js";

/** Undefined where the file does not exist yet. @throws {CliError} where it is no JSON */
export function readSession(path: string): WorkerSnapshot | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new CliError(`The session file ${path} is not valid JSON. Name another file, or remove it.`, { cause });
  }
}

/** Writes beside the file and renames, so that there is always a whole one. */
export function writeSession(path: string, snapshot: WorkerSnapshot): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(snapshot), { mode: 0o600 });
  renameSync(temporary, path);
}
