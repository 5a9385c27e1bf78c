/** JSON Schema's types as tests. */
import type { JsonValue } from "../json.js";

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The test of a `type` keyword; everything passes where there is none. */
export function typeTest(type: JsonValue | undefined): (value: unknown) => boolean {
  switch (type) {
    case "string":
      return (value) => typeof value === "string";
    case "boolean":
      return (value) => typeof value === "boolean";
    case "number":
      return Number.isFinite;
    case "integer":
      return Number.isInteger;
    case "null":
      return (value) => value === null;
    case "array":
      return Array.isArray;
    case "object":
      return isRecord;
    default:
      return () => true;
  }
}

export function hasType(type: string, value: unknown): boolean {
  return typeTest(type)(value);
}
