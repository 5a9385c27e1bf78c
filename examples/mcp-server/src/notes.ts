/** A folder of Markdown notes: `garden.md` is the note "garden". */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const folder = process.env.NOTES ?? "notes";

export async function noteNames(): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => file.endsWith(".md")).map((file) => file.slice(0, -".md".length));
}

export async function readNote(name: string): Promise<string> {
  const names = await noteNames();
  // A tool that throws tells the model the error's message.
  if (!names.includes(name)) throw new Error(`There is no note ${name}. There are: ${names.join(", ")}.`);
  return readFile(fileOf(name), "utf8");
}

export async function writeNote(name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(fileOf(name), text);
}

export async function removeNote(name: string): Promise<void> {
  await readNote(name);
  await rm(fileOf(name));
}

function fileOf(name: string): string {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u.test(name))
    throw new Error("A note's name has letters, digits, spaces, - and _.");
  return join(folder, `${name}.md`);
}
