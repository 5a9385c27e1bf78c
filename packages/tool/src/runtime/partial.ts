/**
 * Arguments that a model is still writing, as far as the tool's schema takes them: text that only looks like a number is
 * one, and what does not fit, or not yet, is left out.
 */
import type { Tool } from "../definition.js";
import type { JsonSchema, JsonValue } from "../json.js";
import { type GeneratedTool, inputSchemaOf } from "./blueprint.js";
import { fits } from "./explain.js";
import { isRecord } from "./json-types.js";
import { repairType } from "./repair.js";
import { isSchema, resolveSchema, subschemas } from "./schema-view.js";

/** Any part of the arguments may be missing, and dates and URLs are the text that they are on the wire. */
export type PartialArguments<T> = T extends Date | URL
  ? string
  : T extends readonly (infer Item)[]
    ? readonly PartialArguments<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: PartialArguments<T[Key]> }
      : T;

/** What lies deeper than this is left out. */
const MAX_DEPTH = 64;
/** Unions within unions could be tried without end; what takes more steps than this is left out. */
const MAX_STEPS = 20_000;

interface Walk {
  readonly root: JsonSchema;
  steps: number;
}

/**
 * What a generated tool makes of arguments that are not finished, as a subscriber's `onPartialArguments` gets them. Open
 * strings, objects and lists are there as far as they go, where the schema takes them so; the value itself is not changed.
 * @param value what is written so far, as `PartialJson` reads it
 */
export function partialArguments<Args>(tool: GeneratedTool<Args>, value: JsonValue): PartialArguments<Args>;
/** `undefined` for a tool that was not generated: nothing is known of its arguments. */
export function partialArguments(tool: Tool, value: JsonValue): PartialArguments<unknown>;
export function partialArguments(tool: Tool, value: JsonValue): unknown {
  const schema = inputSchemaOf(tool);
  return schema === undefined ? undefined : (fitting(schema, value, { root: schema, steps: 0 }, 0) ?? {});
}

/** The part of the value that fits; undefined where none does. */
function fitting(given: JsonSchema, value: unknown, walk: Walk, depth: number): unknown {
  if (depth > MAX_DEPTH || ++walk.steps > MAX_STEPS) return undefined;
  const schema = resolveSchema(given, walk.root);
  const members = subschemas(schema.anyOf);
  if (members.length > 0) return fittingMember(members, value, walk, depth);
  const typed = repairType(schema, value);
  if (isRecord(typed) && (schema.type === "object" || isSchema(schema.properties)))
    return fittingProperties(schema, typed, walk, depth);
  if (Array.isArray(typed) && schema.type === "array") return fittingItems(schema, typed, walk, depth);
  return fits(schema, typed, walk.root) ? typed : undefined;
}

/** The member that keeps the most of the value; the first of equals. */
function fittingMember(members: readonly JsonSchema[], value: unknown, walk: Walk, depth: number): unknown {
  let best: unknown;
  let most = -1;
  for (const member of members) {
    const kept = fitting(member, value, walk, depth + 1);
    const size = kept === undefined ? -1 : JSON.stringify(kept).length;
    if (size <= most) continue;
    best = kept;
    most = size;
  }
  return best;
}

function fittingProperties(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  walk: Walk,
  depth: number,
): Record<string, unknown> {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const kept: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const own = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
    const part = isSchema(own) ? fitting(own, inner, walk, depth + 1) : own === false ? undefined : inner;
    if (part !== undefined) kept.push([key, part]);
  }
  return Object.fromEntries(kept);
}

/** Ends before the first item that does not fit: an index must mean the same item later. */
function fittingItems(schema: JsonSchema, value: readonly unknown[], walk: Walk, depth: number): unknown[] {
  const prefix = subschemas(schema.prefixItems);
  const kept: unknown[] = [];
  for (const [index, item] of value.entries()) {
    const inner = prefix[index] ?? schema.items;
    const part = isSchema(inner) ? fitting(inner, item, walk, depth + 1) : inner === false ? undefined : item;
    if (part === undefined) break;
    kept.push(part);
  }
  return kept;
}
