/**
 * Function arguments that arrive value by value, each with its JSON path (Vertex AI only).
 * @see https://www.rfc-editor.org/rfc/rfc9535 the paths; only names and indices occur
 */
import type { JsonObject, JsonValue } from "../../json.js";
import { asObject, asString, isObject } from "../../json-readers.js";

type Node = { [key: string]: MutableValue } | MutableValue[];
type MutableValue = string | number | boolean | null | Node;

export class PartialArguments {
  readonly #root: { [key: string]: MutableValue } = {};

  constructor(start: JsonObject | undefined) {
    for (const [key, value] of Object.entries(start ?? {})) this.#root[key] = copy(value);
  }

  get value(): JsonObject {
    return this.#root;
  }

  take(pieces: readonly JsonValue[]): void {
    for (const value of pieces) {
      const piece = asObject(value);
      const path = segments(asString(piece?.jsonPath) ?? "");
      if (piece !== undefined && path.length > 0) put(this.#root, path, pieceValue(piece));
    }
  }
}

/** Strings grow, everything else is whole. */
function pieceValue(piece: JsonObject): string | number | boolean | null {
  for (const field of ["stringValue", "numberValue", "boolValue"] as const) {
    const value = piece[field];
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  }
  return null;
}

/** `$.a.b[0]['c']` to its names and indices; empty for anything else. */
function segments(path: string): (string | number)[] {
  const found: (string | number)[] = [];
  const pattern = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/g;
  for (const match of path.matchAll(pattern)) {
    const [, name, index, single, double] = match;
    found.push(index === undefined ? (name ?? single ?? double ?? "").replace(/\\(.)/g, "$1") : Number(index));
  }
  // A name like this one would reach what every object shares.
  return found.includes("__proto__") ? [] : found;
}

/** More elements than any model writes; a wild index must not fill the memory. */
const MAX_INDEX = 100_000;

function put(root: Node, path: readonly (string | number)[], value: string | number | boolean | null): void {
  let node: Node = root;
  for (const [at, key] of path.entries()) {
    if (typeof key === "number" && key > MAX_INDEX) return;
    const isLast = at === path.length - 1;
    const before = child(node, key);
    if (isLast) {
      set(node, key, typeof before === "string" && typeof value === "string" ? before + value : value);
    } else if (typeof before === "object" && before !== null) {
      node = before;
    } else {
      const next: Node = typeof path[at + 1] === "number" ? [] : {};
      set(node, key, next);
      node = next;
    }
  }
}

function child(node: Node, key: string | number): MutableValue | undefined {
  if (Array.isArray(node)) return typeof key === "number" ? node[key] : undefined;
  return Object.hasOwn(node, key) ? node[key] : undefined;
}

function set(node: Node, key: string | number, value: MutableValue): void {
  if (!Array.isArray(node)) node[key] = value;
  else if (typeof key === "number") node[key] = value;
}

function copy(value: JsonValue): MutableValue {
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)]));
  if (Array.isArray(value)) return value.map(copy);
  return typeof value === "object" ? null : value;
}
