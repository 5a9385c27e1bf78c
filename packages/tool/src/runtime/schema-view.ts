/** Reading JSON Schema: references, parts, and words for what a schema wants. */
import type { JsonSchema, JsonValue } from "../json.js";

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function subschemas(value: JsonValue | undefined): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** Follows a local `$ref`; the schema itself where it has none. */
export function resolveSchema(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const reference = schema.$ref;
  if (typeof reference !== "string") return schema;
  const name = reference.slice("#/$defs/".length);
  const target = isSchema(root.$defs) ? root.$defs[name] : undefined;
  return isSchema(target) ? target : {};
}

/** A few words for an error message: `integer, at least 1`, `"a" | "b"`, `array of string`. */
export function describeSchema(given: JsonSchema, root: JsonSchema, depth = 0): string {
  const schema = resolveSchema(given, root);
  const anyOf = subschemas(schema.anyOf);
  if (anyOf.length > 0) return anyOf.map((member) => describeSchema(member, root, depth + 1)).join(" | ");
  if (Array.isArray(schema.enum)) return describeValues(schema.enum);
  const limits = describeLimits(schema);
  const name = describeType(schema, root, depth);
  return limits.length === 0 ? name : `${name} (${limits.join(", ")})`;
}

/** The schema itself lists them all; a message stays readable. */
const MAX_VALUES = 40;

function describeValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  return values.length > MAX_VALUES
    ? `${shown.join(" | ")} | … (${values.length - MAX_VALUES} more)`
    : shown.join(" | ");
}

function describeType(schema: JsonSchema, root: JsonSchema, depth: number): string {
  if (schema.type === "array") {
    const prefix = subschemas(schema.prefixItems);
    if (prefix.length > 0) return `[${prefix.map((item) => describeSchema(item, root, depth + 1)).join(", ")}]`;
    return isSchema(schema.items) && depth < 3 ? `array of ${describeSchema(schema.items, root, depth + 1)}` : "array";
  }
  if (schema.type === "object" && isSchema(schema.properties)) {
    const keys = Object.keys(schema.properties);
    return keys.length === 0 ? "object" : `object {${keys.join(", ")}}`;
  }
  return typeof schema.type === "string" ? schema.type : "any value";
}

const LIMITS: Readonly<Record<string, string>> = {
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "more than",
  exclusiveMaximum: "less than",
  multipleOf: "multiple of",
  minLength: "characters at least",
  maxLength: "characters at most",
  minItems: "items at least",
  maxItems: "items at most",
  pattern: "matching",
  format: "format",
  uniqueItems: "no item twice",
};

function describeLimits(schema: JsonSchema): string[] {
  return Object.keys(LIMITS).flatMap((key) => describeLimit(key, schema[key]));
}

/** `minimum: 1` as `at least 1`; nothing for a keyword that limits nothing. */
export function describeLimit(key: string, value: JsonValue | undefined): string[] {
  const words = Object.hasOwn(LIMITS, key) ? LIMITS[key] : undefined;
  if (words === undefined) return [];
  if (key === "uniqueItems") return value === true ? [words] : [];
  return typeof value === "string" || typeof value === "number" ? [`${words} ${value}`] : [];
}
