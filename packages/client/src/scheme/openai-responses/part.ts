/** What the output items of a response have in common. */
import type { JsonObject, JsonValue } from "../../json.js";
import { isObject } from "../../json-readers.js";

export const SCHEME = "openai-responses";

/** Where text belongs within an item. */
export type PartKind = "text" | "refusal" | "summary" | "reasoning" | "arguments";

export interface OutputItem {
  /** More of a part. False if this item has no such part. */
  delta(kind: PartKind, part: number, text: string): boolean;
  /** All of a part. Some servers send no deltas, or fewer than the whole. */
  whole(kind: PartKind, part: number, text: string): boolean;
  annotate(part: number, annotation: JsonValue): void;
  /** The item's last word: all of it again. */
  done(item: JsonObject): void;
  close(): void;
}

/** How much of a part has been told, so that its whole text only adds what is missing. */
export class Told {
  #text = "";

  add(text: string): string {
    this.#text += text;
    return text;
  }

  missing(whole: string): string {
    if (!whole.startsWith(this.#text)) return "";
    return this.add(whole.slice(this.#text.length));
  }
}

/** Some servers send the arguments as an object instead of its text. */
export function argumentsText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return isObject(value) ? JSON.stringify(value) : "";
}
