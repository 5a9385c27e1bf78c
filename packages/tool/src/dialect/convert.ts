/** A canonical schema -> the one that a dialect accepts, with what gets lost on the way. */
import type { JsonSchema, JsonValue } from "../json.js";
import { describeLimit, isSchema, resolveSchema, subschemas } from "../runtime/schema-view.js";
import { limitProblems } from "./limits.js";
import { DIALECTS, type Dialect, type DialectRules } from "./rules.js";

/** What a dialect cannot express: a value the type allows, or a type it needs. */
export interface DialectProblem {
  /** `$input.filter[]`: where in the arguments object. */
  readonly path: string;
  readonly message: string;
}

export interface Converted {
  readonly schema: JsonSchema;
  readonly problems: readonly DialectProblem[];
}

interface Scope {
  readonly rules: DialectRules;
  readonly root: JsonSchema;
  readonly problems: DialectProblem[];
}

/**
 * Converts a tool's `inputSchema`. Limits that the dialect has no keyword for become words in the description; in strict
 * mode optional properties become required and nullable, which the generated decoder undoes (`null` for absent).
 */
export function toDialect(schema: JsonSchema, dialect: Dialect): Converted {
  const rules = DIALECTS[dialect];
  const scope: Scope = { rules, root: schema, problems: [] };
  if (schema.type !== "object") scope.problems.push({ path: "$input", message: "the arguments must be one object" });
  const converted = convert(schema, "$input", scope);
  return {
    schema: converted,
    problems: [...scope.problems, ...limitProblems(converted, rules), ...recursionProblems(schema, rules)],
  };
}

function convert(schema: JsonSchema, path: string, scope: Scope): JsonSchema {
  const { rules } = scope;
  if (typeof schema.$ref === "string") return rules.bareRefs || rules.keywords ? { $ref: schema.$ref } : schema;
  reportUnsupported(schema, path, scope);
  const result: Record<string, JsonValue> = {};
  const lost: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === "default" && lostKeyword(key, value, rules)) lost.push(`default ${JSON.stringify(value)}`);
    else if (key === "examples" && lostKeyword(key, value, rules)) lost.push(`for example ${examplesText(value)}`);
    else if (lostKeyword(key, value, rules)) lost.push(...describeLimit(key, value));
    else result[key] = convertKeyword(key, value, path, scope);
  }
  if (rules.requireAll && isSchema(schema.properties)) requireAll(schema, result);
  if (lost.length > 0) {
    const words = `(${lost.join(", ")})`;
    result.description = typeof schema.description === "string" ? `${schema.description} ${words}` : words;
  }
  return result;
}

function lostKeyword(key: string, value: JsonValue, rules: DialectRules): boolean {
  if (key === "format" && rules.formats !== undefined && typeof value === "string" && !rules.formats.has(value))
    return true;
  // A closed tuple's `items: false` says no more than its length does.
  if (key === "items" && value === false && rules.keywords !== undefined) return true;
  if (key === "enum" && rules.plainEnums && Array.isArray(value) && value.some((v) => typeof v === "boolean"))
    return true;
  return rules.keywords !== undefined && !rules.keywords.has(key);
}

function convertKeyword(key: string, value: JsonValue, path: string, scope: Scope): JsonValue {
  switch (key) {
    case "properties":
    case "$defs":
    case "patternProperties":
      return isSchema(value)
        ? mapEntries(value, (inner, name) => convert(inner, key === "properties" ? `${path}.${name}` : path, scope))
        : value;
    case "items":
    case "additionalProperties":
      return isSchema(value) ? convert(value, `${path}[]`, scope) : value;
    case "prefixItems":
    case "anyOf":
      return subschemas(value).map((inner) => convert(inner, path, scope));
    default:
      return value;
  }
}

function mapEntries(schemas: JsonSchema, map: (schema: JsonSchema, name: string) => JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, inner]) => [name, isSchema(inner) ? map(inner, name) : inner]),
  );
}

/** Required and nullable stands for optional. */
function requireAll(schema: JsonSchema, result: Record<string, JsonValue>): void {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isSchema(result.properties) ? result.properties : {};
  result.properties = mapEntries(properties, (inner, name) => (required.includes(name) ? inner : nullable(inner)));
  result.required = Object.keys(properties);
}

function nullable(schema: JsonSchema): JsonSchema {
  const { description, ...type } = schema;
  const members = subschemas(type.anyOf);
  if (members.some((member) => member.type === "null")) return schema;
  const anyOf = members.length > 0 ? [...members, { type: "null" }] : [type, { type: "null" }];
  return description === undefined ? { anyOf } : { anyOf, description };
}

function reportUnsupported(schema: JsonSchema, path: string, { rules, problems }: Scope): void {
  const report = (message: string | undefined): void => {
    if (message !== undefined) problems.push({ path, message });
  };
  if (isSchema(schema.additionalProperties)) report(rules.openObjects);
  if (schema.patternProperties !== undefined) report(rules.patternKeys);
  if (schema.prefixItems !== undefined) report(rules.tuples);
  const typed = ["type", "enum", "anyOf", "$ref"].some((key) => schema[key] !== undefined);
  if (!typed) report(rules.anyValue);
}

function recursionProblems(schema: JsonSchema, rules: DialectRules): DialectProblem[] {
  if (!rules.optionalRecursion || !isSchema(schema.$defs)) return [];
  return Object.entries(schema.$defs)
    .filter(([name, inner]) => isSchema(inner) && reaches(inner, name, schema, new Set()))
    .map(([name]) => ({
      path: "$input",
      message: `${name} contains itself in a property that is required; make that one optional`,
    }));
}

/** Whether a definition is found again along required properties and elements. */
function reaches(schema: JsonSchema, name: string, root: JsonSchema, seen: Set<string>): boolean {
  if (typeof schema.$ref === "string") {
    if (schema.$ref === `#/$defs/${name}`) return true;
    if (seen.has(schema.$ref)) return false;
    seen.add(schema.$ref);
    return reaches(resolveSchema(schema, root), name, root, seen);
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const inner = properties.flatMap(([key, value]) => (required.includes(key) && isSchema(value) ? [value] : []));
  if (isSchema(schema.items)) inner.push(schema.items);
  return [...inner, ...subschemas(schema.prefixItems), ...subschemas(schema.anyOf)].some((next) =>
    reaches(next, name, root, seen),
  );
}

function examplesText(value: JsonValue): string {
  return (Array.isArray(value) ? value : [value]).map((example) => JSON.stringify(example)).join(" or ");
}
