import { readNote } from "./notes.js";

/**
 * Asks for the open ends of a note.
 * @prompt
 * @param note The note's name
 * @param language The language of the answer
 */
export async function openEnds(note: string, language = "English"): Promise<string> {
  return `What is still to be done in this note? Answer in ${language}, one line each.\n\n${await readNote(note)}`;
}
