/** What is wrong with a value, told from its schema. Runs only after a generated predicate has said no. */
import type { ArgumentIssue } from "../error.js";
import type { JsonSchema, JsonValue } from "../json.js";
import { isMultiple, isUnique, lengthWithin } from "./checks.js";
import { shorten } from "./decode.js";
import { hasFormat } from "./formats.js";
import { describeSchema, isSchema, resolveSchema, subschemas } from "./schema-view.js";

/** Every problem, in the order of the schema; empty where the value fits. */
export function explain(schema: JsonSchema, value: unknown, path = "$input"): ArgumentIssue[] {
  const issues: ArgumentIssue[] = [];
  check(schema, value, path, { root: schema, issues });
  return issues;
}

/** Whether the value fits a part of `root`. */
export function fits(schema: JsonSchema, value: unknown, root: JsonSchema): boolean {
  const issues: ArgumentIssue[] = [];
  check(schema, value, "", { root, issues });
  return issues.length === 0;
}

interface Scope {
  readonly root: JsonSchema;
  readonly issues: ArgumentIssue[];
}

function check(given: JsonSchema, value: unknown, path: string, scope: Scope): void {
  const schema = resolveSchema(given, scope.root);
  const anyOf = subschemas(schema.anyOf);
  if (anyOf.length > 0) return checkAnyOf(schema, anyOf, value, path, scope);
  if (Array.isArray(schema.enum) && !schema.enum.includes(value as JsonValue))
    return report(schema, value, path, scope);
  if (typeof schema.type === "string" && !hasType(schema.type, value)) return report(schema, value, path, scope);
  if (typeof value === "string") checkString(schema, value, path, scope);
  else if (typeof value === "number") checkNumber(schema, value, path, scope);
  else if (Array.isArray(value)) checkArray(schema, value, path, scope);
  else if (isRecord(value) && schema.type === "object") checkObject(schema, value, path, scope);
}

/** Where one member is clearly meant, its own problems help more than "none of the five". */
function checkAnyOf(
  schema: JsonSchema,
  members: readonly JsonSchema[],
  value: unknown,
  path: string,
  scope: Scope,
): void {
  if (members.some((member) => fits(member, value, scope.root))) return;
  const meant = members.filter((member) => isMeant(resolveSchema(member, scope.root), value, scope.root));
  const [only] = meant;
  if (only !== undefined && meant.length === 1) check(only, value, path, scope);
  else report(schema, value, path, scope);
}

/** Right type, and, for objects, no literal property that says otherwise. */
function isMeant(member: JsonSchema, value: unknown, root: JsonSchema): boolean {
  if (typeof member.type === "string" && !hasType(member.type, value)) return false;
  if (!isRecord(value) || !isSchema(member.properties)) return !Array.isArray(member.enum);
  for (const [key, inner] of Object.entries(member.properties)) {
    if (!isSchema(inner)) continue;
    const property = resolveSchema(inner, root);
    if (Array.isArray(property.enum) && key in value && !property.enum.includes(value[key] as JsonValue)) return false;
  }
  return true;
}

function checkString(schema: JsonSchema, value: string, path: string, scope: Scope): void {
  const { minLength, maxLength, pattern, format } = schema;
  const low = typeof minLength === "number" ? minLength : 0;
  const high = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
  const ok =
    lengthWithin(value, low, high) &&
    (typeof pattern !== "string" || new RegExp(pattern, "u").test(value)) &&
    (typeof format !== "string" || hasFormat(format, value));
  if (!ok) report(schema, value, path, scope);
}

function checkNumber(schema: JsonSchema, value: number, path: string, scope: Scope): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const ok =
    (typeof minimum !== "number" || value >= minimum) &&
    (typeof maximum !== "number" || value <= maximum) &&
    (typeof exclusiveMinimum !== "number" || value > exclusiveMinimum) &&
    (typeof exclusiveMaximum !== "number" || value < exclusiveMaximum) &&
    (typeof multipleOf !== "number" || isMultiple(value, multipleOf));
  if (!ok) report(schema, value, path, scope);
}

function checkArray(schema: JsonSchema, value: readonly unknown[], path: string, scope: Scope): void {
  const { minItems, maxItems } = schema;
  const tooFew = typeof minItems === "number" && value.length < minItems;
  const tooMany = typeof maxItems === "number" && value.length > maxItems;
  if (tooFew || tooMany || (schema.uniqueItems === true && !isUnique(value))) report(schema, value, path, scope);
  const prefix = subschemas(schema.prefixItems);
  for (const [index, item] of value.entries()) {
    const inner = prefix[index] ?? (isSchema(schema.items) ? schema.items : undefined);
    if (inner !== undefined) check(inner, item, `${path}[${index}]`, scope);
  }
}

function checkObject(schema: JsonSchema, value: Record<string, unknown>, path: string, scope: Scope): void {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const patterns = isSchema(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [key, inner] of Object.entries(properties)) {
    if (!isSchema(inner)) continue;
    if (Object.hasOwn(value, key)) check(inner, value[key], propertyPath(path, key), scope);
    else if (required.includes(key)) {
      scope.issues.push({
        path: propertyPath(path, key),
        kind: "missing",
        expected: describeSchema(inner, scope.root),
      });
    }
  }
  for (const [key, item] of Object.entries(value)) {
    let matched = Object.hasOwn(properties, key);
    for (const [pattern, inner] of patterns) {
      if (!isSchema(inner) || !new RegExp(pattern, "u").test(key)) continue;
      matched = true;
      check(inner, item, propertyPath(path, key), scope);
    }
    if (matched) continue;
    if (isSchema(schema.additionalProperties)) check(schema.additionalProperties, item, propertyPath(path, key), scope);
    else if (schema.additionalProperties === false) {
      const known = Object.keys(properties);
      const expected = known.length === 0 ? "there are none" : `known are ${known.join(", ")}`;
      scope.issues.push({ path: propertyPath(path, key), kind: "extra", expected, received: show(item) });
    }
  }
}

function report(schema: JsonSchema, value: unknown, path: string, scope: Scope): void {
  scope.issues.push({ path, kind: "type", expected: describeSchema(schema, scope.root), received: show(value) });
}

export function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "number":
      return Number.isFinite(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    default:
      return true;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function propertyPath(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function show(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "nothing");
}
