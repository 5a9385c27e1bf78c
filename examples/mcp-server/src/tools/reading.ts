import { noteNames, readNote } from "../notes.js";

export interface Match {
  /** The note's name */
  note: string;
  /** Counted from 1 */
  line: number;
  text: string;
}

/**
 * Finds the lines of all notes that contain a text, whatever its case.
 * @tool
 * @effect read_only
 * @param text What to look for
 * @param limit How many lines at most
 */
export async function searchNotes(text: string, limit = 20): Promise<{ matches: Match[] }> {
  const matches: Match[] = [];
  for (const note of await noteNames()) {
    const lines = (await readNote(note)).split("\n");
    for (const [at, line] of lines.entries())
      if (line.toLowerCase().includes(text.toLowerCase())) matches.push({ note, line: at + 1, text: line });
  }
  return { matches: matches.slice(0, limit) };
}

/**
 * Lists the names of all notes.
 * @tool
 * @effect read_only
 */
export async function listNotes(): Promise<{ names: string[] }> {
  return { names: await noteNames() };
}
