/**
 * Brings values into the form that the schema wants where there is only one way to read them: numbers and objects as
 * text, `null` for what may be left out. Values are changed in place; they come from a JSON.parse of our own.
 */
import type { JsonSchema, JsonValue } from "../json.js";
import { fits } from "./explain.js";
import { hasType, isRecord } from "./json-types.js";
import { parseLenient } from "./lenient-json.js";
import { isSchema, resolveSchema, subschemas } from "./schema-view.js";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Unions within unions could be tried without end; what takes more steps than this stays as it is. */
const MAX_STEPS = 20_000;

export function repair(schema: JsonSchema, value: unknown): unknown {
  return repairValue(schema, value, { schema, steps: 0 });
}

interface Root {
  readonly schema: JsonSchema;
  steps: number;
}

function repairValue(given: JsonSchema, value: unknown, root: Root): unknown {
  if (++root.steps > MAX_STEPS) return value;
  const schema = resolveSchema(given, root.schema);
  const members = subschemas(schema.anyOf);
  if (members.length > 0) return repairUnion(members, value, root);
  const typed = repairType(schema, value);
  if (Array.isArray(typed)) return repairItems(schema, typed, root);
  if (isRecord(typed) && isSchema(schema.properties)) return repairProperties(schema, schema.properties, typed, root);
  return typed;
}

/** Only where exactly one member can be meant. */
function repairUnion(members: readonly JsonSchema[], value: unknown, root: Root): unknown {
  if (members.some((member) => fits(member, value, root.schema))) return value;
  const repaired = members
    .map((member) => repairValue(member, structuredClone(value), root))
    .filter((candidate, index) => {
      const member = members[index];
      return member !== undefined && fits(member, candidate, root.schema);
    });
  return repaired.length === 1 ? repaired[0] : value;
}

/** The value itself, not what is in it. */
export function repairType(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(schema.enum)) {
    if (typeof value !== "string" || schema.enum.includes(value)) return value;
    const literal = scalarOf(value);
    return literal !== undefined && schema.enum.includes(literal) ? literal : value;
  }
  const { type } = schema;
  if (typeof type !== "string" || hasType(type, value)) return value;
  if (typeof value !== "string") return value;
  if (type === "number" || type === "integer" || type === "boolean") {
    const scalar = scalarOf(value.trim());
    return scalar !== undefined && hasType(type, scalar) ? scalar : value;
  }
  if (type === "object" || type === "array") {
    const parsed = parseLenient(value);
    return parsed !== undefined && hasType(type, parsed.value) ? parsed.value : value;
  }
  return value;
}

function scalarOf(text: string): JsonValue | undefined {
  if (text === "true") return true;
  if (text === "false") return false;
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  // Digits that a number cannot hold would be changed, not repaired.
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? undefined : value;
}

function repairItems(schema: JsonSchema, value: unknown[], root: Root): unknown[] {
  const prefix = subschemas(schema.prefixItems);
  for (const [index, item] of value.entries()) {
    const inner = prefix[index] ?? (isSchema(schema.items) ? schema.items : undefined);
    if (inner !== undefined) value[index] = repairValue(inner, item, root);
  }
  return value;
}

function repairProperties(
  schema: JsonSchema,
  properties: JsonSchema,
  value: Record<string, unknown>,
  root: Root,
): unknown {
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [key, inner] of Object.entries(properties)) {
    if (!isSchema(inner) || !Object.hasOwn(value, key)) continue;
    if (value[key] === null && !required.includes(key) && !fits(inner, null, root.schema)) delete value[key];
    else set(value, key, repairValue(inner, value[key], root));
  }
  if (isSchema(schema.additionalProperties)) {
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(properties, key)) set(value, key, repairValue(schema.additionalProperties, value[key], root));
    }
  }
  return value;
}

/** A plain assignment to `__proto__` would set the prototype. */
function set(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
