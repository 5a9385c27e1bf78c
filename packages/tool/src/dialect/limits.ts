/** How large a schema may be. */
import type { JsonSchema } from "../json.js";
import { isSchema, subschemas } from "../runtime/schema-view.js";
import type { DialectProblem } from "./convert.js";
import type { DialectRules } from "./rules.js";

interface Size {
  properties: number;
  depth: number;
  enumValues: number;
  /** Of names and enum values. */
  characters: number;
}

export function limitProblems(schema: JsonSchema, { limits }: DialectRules): DialectProblem[] {
  if (limits === undefined) return [];
  const size: Size = { properties: 0, depth: 0, enumValues: 0, characters: 0 };
  measure(schema, 1, size);
  const over: [number, number, string][] = [
    [size.properties, limits.properties, "properties"],
    [size.depth, limits.depth, "levels of nesting"],
    [size.enumValues, limits.enumValues, "enum values"],
    [size.characters, limits.characters, "characters in names and enum values"],
  ];
  return over
    .filter(([is, most]) => is > most)
    .map(([is, most, what]) => ({ path: "$input", message: `it has ${is} ${what}, and at most ${most} are allowed` }));
}

function measure(schema: JsonSchema, depth: number, size: Size): void {
  size.depth = Math.max(size.depth, depth);
  if (Array.isArray(schema.enum)) {
    size.enumValues += schema.enum.length;
    for (const value of schema.enum) size.characters += String(value).length;
  }
  for (const key of ["properties", "$defs"]) {
    const inner = schema[key];
    if (!isSchema(inner)) continue;
    for (const [name, value] of Object.entries(inner)) {
      if (key === "properties") size.properties++;
      size.characters += name.length;
      if (isSchema(value)) measure(value, depth + 1, size);
    }
  }
  for (const inner of [schema.items, schema.additionalProperties]) if (isSchema(inner)) measure(inner, depth + 1, size);
  for (const inner of [...subschemas(schema.prefixItems), ...subschemas(schema.anyOf)]) measure(inner, depth, size);
}
