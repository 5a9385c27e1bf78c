/** JSON text that is made once: values that can no longer change keep theirs, for as long as they live. */
import type { JsonValue } from "../json.js";

export class KeptText<T extends object> {
  readonly #texts = new WeakMap<T, string>();

  /** The text of a value; `encode` must depend on nothing else. */
  of(value: T, encode: (value: T) => string): string {
    let text = this.#texts.get(value);
    if (text === undefined) {
      text = encode(value);
      if (isDeepFrozen(value)) this.#texts.set(value, text);
    }
    return text;
  }
}

/** JSON text as a value of a body. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * As JSON.stringify writes it. Halves of surrogate pairs, which cutting a text leaves, become U+FFFD: providers refuse
 * a body that holds one.
 */
export function jsonText(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.includes("\\ud") ? JSON.stringify(value, wellFormed) : text;
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\uFFFD") : value;
}

/** The texts where they stand, everything else as `jsonText`. */
export function bodyText(body: Readonly<Record<string, JsonValue | JsonText | undefined>>): string {
  let text = "";
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const written = value instanceof JsonText ? value.text : jsonText(value);
    text += `${text === "" ? "{" : ","}${JSON.stringify(key)}:${written}`;
  }
  return text === "" ? "{}" : `${text}}`;
}

/** The elements of a list, joined. */
export function elementsText(values: readonly JsonValue[]): string {
  return jsonText(values).slice(1, -1);
}

/** A list of what the texts hold, each of them any number of elements. */
export function listText(first: string, rest = ""): JsonText {
  return new JsonText(first === "" || rest === "" ? `[${first}${rest}]` : `[${first},${rest}]`);
}

/** Frozen through and through: a frozen object may still hold one that changes. */
export function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}
