/** Tools for the files of one folder. No path leads out of it, links included. */
import { mkdirSync, realpathSync } from "node:fs";
import { readFile as read, readdir, realpath, rm, stat, writeFile as write } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

const root = openRoot(process.env.WORKSPACE ?? "workspace");

/** A file, as listFiles tells it. */
export interface FileEntry {
  /** As seen from the workspace */
  path: string;
  bytes: number;
}

/**
 * Lists every file of the workspace.
 * @tool
 * @effect read_only
 */
export async function listFiles(): Promise<FileEntry[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path: relative(root, path), bytes: (await stat(path)).size })));
}

/**
 * Reads a text file of the workspace.
 * @tool
 * @effect read_only
 * @param path The file's path, as listFiles gives it
 */
export async function readFile(path: string): Promise<string> {
  return read(await inside(path), "utf8");
}

/**
 * Writes a text file of the workspace; one that exists is replaced.
 * @tool
 * @effect mutating
 * @param path The file's path, in a folder that exists
 * @param text The file's whole new text
 */
export async function writeFile(path: string, text: string): Promise<string> {
  await write(await inside(path), text);
  return `Wrote ${Buffer.byteLength(text)} bytes to ${path}.`;
}

/**
 * Removes a file of the workspace for good.
 * @tool
 * @effect destructive
 * @param path The file's path, as listFiles gives it
 */
export async function removeFile(path: string): Promise<string> {
  await rm(await inside(path));
  return `Removed ${path}.`;
}

async function inside(path: string): Promise<string> {
  const asked = resolve(root, path);
  const folder = await realpath(dirname(asked));
  const file = join(folder, basename(asked));
  const real = await realpath(file).catch(() => file);
  // What the model is told when a tool throws is the error's message.
  if (!real.startsWith(root + sep)) throw new Error(`${path} is outside the workspace.`);
  return real;
}

function openRoot(path: string): string {
  mkdirSync(path, { recursive: true });
  return realpathSync(path);
}
