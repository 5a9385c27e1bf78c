/**
 * What is wrong with a value, told from its schema. Runs only after a generated predicate has said no; a schema is turned
 * into closures when it is first needed, and they are kept for as long as the schema is.
 */
import type { ArgumentIssue } from "../error.js";
import type { JsonSchema } from "../json.js";
import { isMultiple, isUnique, lengthWithin } from "./checks.js";
import { hasFormat } from "./formats.js";
import { isRecord, typeTest } from "./json-types.js";
import { type Check, mismatchOf, missingOf, newWalk, stepText, tell, type Walk } from "./problem-walk.js";
import { isSchema, resolveSchema, subschemas } from "./schema-view.js";

/** Every problem, in the order of the schema; empty where the value fits. */
export function explain(schema: JsonSchema, value: unknown): ArgumentIssue[] {
  const walk = newWalk();
  checkerFor(schema, schema)(value, walk);
  return walk.issues;
}

/** Whether the value fits a part of `root`. */
export function fits(schema: JsonSchema, value: unknown, root: JsonSchema): boolean {
  return probe(checkerFor(schema, root), value, newWalk());
}

const compiled = new WeakMap<JsonSchema, Map<JsonSchema, Check>>();

function checkerFor(schema: JsonSchema, root: JsonSchema): Check {
  let known = compiled.get(root);
  if (known === undefined) {
    known = new Map();
    compiled.set(root, known);
  }
  const made = known.get(schema);
  if (made !== undefined) return made;
  const check = compile(schema, root);
  known.set(schema, check);
  return check;
}

function compile(schema: JsonSchema, root: JsonSchema): Check {
  if (typeof schema.$ref === "string") {
    // Resolved at the first value, since a recursive type refers to what is not made yet.
    return (value, walk) => checkerFor(resolveSchema(schema, root), root)(value, walk);
  }
  const mismatch = mismatchOf(schema, root);
  const anyOf = subschemas(schema.anyOf);
  if (anyOf.length > 0) return compileUnion(anyOf, mismatch, root);
  if (Array.isArray(schema.enum)) {
    const values = new Set<unknown>(schema.enum);
    return (value, walk) => {
      if (!values.has(value)) mismatch(value, walk);
    };
  }
  switch (schema.type) {
    case "string":
      return compileString(schema, mismatch);
    case "number":
    case "integer":
      return compileNumber(schema, mismatch);
    case "array":
      return compileArray(schema, mismatch, root);
    case "object":
      return compileObject(schema, mismatch, root);
    default: {
      const test = typeTest(schema.type);
      return (value, walk) => {
        if (!test(value)) mismatch(value, walk);
      };
    }
  }
}

/** Where one member is clearly meant, its own problems help more than "none of the five". */
function compileUnion(members: readonly JsonSchema[], mismatch: Check, root: JsonSchema): Check {
  const checks = members.map((member) => checkerFor(member, root));
  const tagged = taggedMembers(members, checks, root);
  const meant = members.map((member) => meantTest(resolveSchema(member, root), root));
  return (value, walk) => {
    const byTag = tagged !== undefined && isRecord(value) ? tagged.checks.get(value[tagged.key]) : undefined;
    if (byTag !== undefined) return byTag(value, walk);
    for (let i = 0; i < checks.length; i++) {
      const check = checks[i];
      if (check !== undefined && probe(check, value, walk)) return;
    }
    // Inside another union's trial, that none fits is all there is to know.
    if (walk.probing > 0) return mismatch(value, walk);
    let only: Check | undefined;
    for (const [index, isMeant] of meant.entries()) {
      if (!isMeant(value)) continue;
      if (only !== undefined) return mismatch(value, walk);
      only = checks[index];
    }
    (only ?? mismatch)(value, walk);
  };
}

/** Objects that a literal property tells apart: its value leads straight to the one that counts. */
function taggedMembers(
  members: readonly JsonSchema[],
  checks: readonly Check[],
  root: JsonSchema,
): { readonly key: string; readonly checks: ReadonlyMap<unknown, Check> } | undefined {
  const objects = members
    .map((member) => resolveSchema(member, root))
    .map(({ properties }) => (isSchema(properties) ? properties : {}));
  for (const key of Object.keys(objects[0] ?? {})) {
    const found = new Map<unknown, Check>();
    let count = 0;
    for (const [index, properties] of objects.entries()) {
      const property = properties[key];
      const check = checks[index];
      if (!isSchema(property) || !Array.isArray(property.enum) || check === undefined) break;
      count++;
      for (const value of property.enum) found.set(value, found.has(value) ? ambiguous : check);
    }
    if (count === members.length && ![...found.values()].includes(ambiguous)) return { key, checks: found };
  }
  return undefined;
}

const ambiguous: Check = () => undefined;

function probe(check: Check, value: unknown, walk: Walk): boolean {
  const before = walk.failed;
  walk.failed = false;
  walk.probing++;
  check(value, walk);
  walk.probing--;
  const ok = !walk.failed;
  walk.failed = before;
  return ok;
}

/** Right type, and, for objects, no literal property that says otherwise. */
function meantTest(member: JsonSchema, root: JsonSchema): (value: unknown) => boolean {
  const test = typeTest(member.type);
  if (!isSchema(member.properties)) return (value) => test(value) && !Array.isArray(member.enum);
  const literals = Object.entries(member.properties).flatMap(([key, inner]) => {
    const property = isSchema(inner) ? resolveSchema(inner, root) : {};
    return Array.isArray(property.enum) ? [{ key, values: new Set<unknown>(property.enum) }] : [];
  });
  return (value) =>
    test(value) &&
    isRecord(value) &&
    literals.every(({ key, values }) => !Object.hasOwn(value, key) || values.has(value[key]));
}

function compileString(schema: JsonSchema, mismatch: Check): Check {
  const { minLength, maxLength, pattern, format } = schema;
  const low = typeof minLength === "number" ? minLength : 0;
  const high = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
  const regexp = typeof pattern === "string" ? new RegExp(pattern, "u") : undefined;
  return (value, walk) => {
    const ok =
      typeof value === "string" &&
      lengthWithin(value, low, high) &&
      (regexp === undefined || regexp.test(value)) &&
      (typeof format !== "string" || hasFormat(format, value));
    if (!ok) mismatch(value, walk);
  };
}

function compileNumber(schema: JsonSchema, mismatch: Check): Check {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const test = typeTest(schema.type);
  return (value, walk) => {
    const ok =
      typeof value === "number" &&
      test(value) &&
      (typeof minimum !== "number" || value >= minimum) &&
      (typeof maximum !== "number" || value <= maximum) &&
      (typeof exclusiveMinimum !== "number" || value > exclusiveMinimum) &&
      (typeof exclusiveMaximum !== "number" || value < exclusiveMaximum) &&
      (typeof multipleOf !== "number" || isMultiple(value, multipleOf));
    if (!ok) mismatch(value, walk);
  };
}

function compileArray(schema: JsonSchema, mismatch: Check, root: JsonSchema): Check {
  const { minItems, maxItems, uniqueItems } = schema;
  const prefix = subschemas(schema.prefixItems).map((item) => checkerFor(item, root));
  const rest = isSchema(schema.items) ? checkerFor(schema.items, root) : undefined;
  return (value, walk) => {
    if (!Array.isArray(value)) return mismatch(value, walk);
    const tooFew = typeof minItems === "number" && value.length < minItems;
    const tooMany = typeof maxItems === "number" && value.length > maxItems;
    if (tooFew || tooMany || (uniqueItems === true && !isUnique(value))) mismatch(value, walk);
    const { path } = walk;
    const depth = walk.depth++;
    for (let index = 0; index < value.length; index++) {
      const check = index < prefix.length ? prefix[index] : rest;
      if (check === undefined) continue;
      path[depth] = index;
      check(value[index], walk);
    }
    walk.depth = depth;
  };
}

function compileObject(schema: JsonSchema, mismatch: Check, root: JsonSchema): Check {
  const schemas = isSchema(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = Object.entries(schemas).flatMap(([key, inner]) =>
    isSchema(inner)
      ? [
          {
            key,
            check: checkerFor(inner, root),
            step: stepText(key),
            missing: required.has(key) ? missingOf(inner, stepText(key), root) : undefined,
            plain: plainType(inner),
            inherited: key in Object.prototype,
          },
        ]
      : [],
  );
  const checkRest = compileRest(schema, new Set(Object.keys(schemas)), root);
  return (value, walk) => {
    if (!isRecord(value)) return mismatch(value, walk);
    let present = 0;
    const { path } = walk;
    const depth = walk.depth;
    for (let i = 0; i < properties.length; i++) {
      const property = properties[i];
      if (property === undefined) continue;
      const { key, step, check, plain, missing, inherited } = property;
      const item = value[key];
      // Most properties are plain text or numbers, and most of them are right: no call, no path.
      if (plain !== undefined && typeof item === plain && (plain !== "number" || Number.isFinite(item)) && !inherited) {
        present++;
        continue;
      }
      if (inherited ? Object.hasOwn(value, key) : item !== undefined) {
        present++;
        path[depth] = step;
        walk.depth = depth + 1;
        check(item, walk);
        walk.depth = depth;
      } else missing?.(walk);
    }
    const keys = Object.keys(value);
    if (keys.length > present || checkRest.always) checkRest.check(value, keys, walk);
  };
}

const LIMITED = [
  "enum",
  "pattern",
  "format",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
];

/** The `typeof` of a schema that says nothing but its type. */
function plainType(schema: JsonSchema): "string" | "number" | "boolean" | undefined {
  const { type } = schema;
  const plain = type === "string" || type === "number" || type === "boolean";
  return plain && !LIMITED.some((key) => key in schema) ? type : undefined;
}

interface RestCheck {
  /** Named properties are looked at again, since patterns hold for them too. */
  readonly always: boolean;
  readonly check: (value: Record<string, unknown>, keys: readonly string[], walk: Walk) => void;
}

/** Keys that the schema does not name: by pattern, then by `additionalProperties`. */
function compileRest(schema: JsonSchema, named: ReadonlySet<string>, root: JsonSchema): RestCheck {
  const patterns = (isSchema(schema.patternProperties) ? Object.entries(schema.patternProperties) : []).flatMap(
    ([pattern, inner]) =>
      isSchema(inner) ? [{ regexp: new RegExp(pattern, "u"), check: checkerFor(inner, root) }] : [],
  );
  const additional = isSchema(schema.additionalProperties) ? checkerFor(schema.additionalProperties, root) : undefined;
  const closed = schema.additionalProperties === false;
  const expected = named.size === 0 ? "there are none" : `known are ${[...named].join(", ")}`;
  const check: RestCheck["check"] = (value, keys, walk) => {
    for (const key of keys) {
      let matched = named.has(key);
      walk.path[walk.depth++] = stepText(key);
      for (const entry of patterns) {
        if (!entry.regexp.test(key)) continue;
        matched = true;
        entry.check(value[key], walk);
      }
      if (!matched && additional !== undefined) additional(value[key], walk);
      else if (!matched && closed) tell(walk, "extra", expected, value[key]);
      walk.depth--;
    }
  };
  return { always: patterns.length > 0, check };
}
