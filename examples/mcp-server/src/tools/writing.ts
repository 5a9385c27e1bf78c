import { noteNames, readNote, removeNote, writeNote } from "../notes.js";

/**
 * Adds a line to the end of a note, and makes the note where there is none.
 * @tool
 * @effect mutating
 * @param note The note's name
 * @param line Markdown
 */
export async function addToNote(note: string, line: string): Promise<string> {
  const known = (await noteNames()).includes(note);
  const before = known ? (await readNote(note)).trimEnd() : `# ${note}\n`;
  await writeNote(note, `${before}\n${line}\n`);
  return known ? `Added a line to ${note}.` : `Made the note ${note}.`;
}

/**
 * Removes a note for good.
 * @tool
 * @effect destructive
 * @param note The note's name
 */
export async function deleteNote(note: string): Promise<string> {
  await removeNote(note);
  return `Removed ${note}.`;
}
