/** Bodies that are no event stream: one JSON document, or a stream that a gateway has put into base64. */
import { asArray, parseJson } from "../json-readers.js";
import { textFromBase64 } from "./media.js";

/** A field's name is at most five letters long; by then a line of an event stream has its colon. */
const ENOUGH = 16;

export type BodyKind = "unknown" | "stream" | "document";

/** What a body is that begins so, without space before; `unknown` where more of it is needed. */
export function bodyKind(start: string): BodyKind {
  const text = start.slice(0, ENOUGH);
  // No field begins with a brace: this is JSON, an error most likely.
  if (text.startsWith("{") || text.startsWith("[")) return "document";
  if (!/^[A-Za-z0-9+/]*$/.test(text)) return "stream";
  return text.length < ENOUGH ? "unknown" : "document";
}

/** The JSON texts of a body: itself, or the elements of an array. */
export function documents(body: string): string[] {
  const value = parseJson(body);
  const elements = asArray(value);
  if (elements !== undefined) return elements.map((element) => JSON.stringify(element));
  return value === undefined ? [] : [body];
}

/** The stream that the body holds: put into base64, or plain and only begun in an unusual way. */
export function streamIn(body: string): string {
  const packed = body.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) return body;
  try {
    return textFromBase64(packed);
  } catch {
    return body;
  }
}
