/** Reading JSON that a provider wrote: every reader answers `undefined` to a value of the wrong type. */
import type { JsonObject, JsonValue } from "./json.js";

/** Any JSON from text; `undefined` where the text is none. Never throws. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** A JSON object from text; `undefined` where the text is anything else. Never throws. */
export function parseObject(text: string): JsonObject | undefined {
  return asObject(parseJson(text));
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asArray(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return Array.isArray(value) ? (value satisfies readonly JsonValue[]) : undefined;
}

export function asString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A string that is not empty. */
export function asText(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function asNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Arguments as an object: providers refuse anything else, and a model may write anything else. */
export function argumentsObject(text: string): JsonObject {
  const value = parseObject(text);
  return value === undefined || isTooDeep(text) ? {} : value;
}

/** Deeper than this, writing the value again may exceed the stack. */
const MAX_DEPTH = 1000;

function isTooDeep(json: string): boolean {
  if (json.length < 2 * MAX_DEPTH) return false;
  let depth = 0;
  for (const [bracket] of json.replace(/"(?:[^"\\]|\\.)*"/g, "").matchAll(/[[{\]}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
