import { readNote } from "./notes.js";

/**
 * A note as it is.
 * @resource note:///{name}
 * @mimeType text/markdown
 * @param name The note's name
 */
export function note(name: string): Promise<string> {
  return readNote(name);
}
