import { describe, expect, it } from "vitest";
import { type Dialect, toDialect } from "../src/dialect/index.js";
import type { JsonSchema } from "../src/index.js";
import { repair } from "../src/runtime/repair.js";

function object(properties: Record<string, JsonSchema>, required: string[] = Object.keys(properties)): JsonSchema {
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

const string: JsonSchema = { type: "string" };

describe("openai-strict", () => {
  it("makes every property required, and nullable what may be left out", () => {
    const schema = object(
      {
        a: { ...string, description: "A" },
        b: { type: "number", description: "B" },
        c: { anyOf: [string, { type: "null" }] },
        d: object({ e: string }, []),
      },
      ["a"],
    );
    expect(toDialect(schema, "openai-strict")).toEqual({
      problems: [],
      schema: object({
        a: { ...string, description: "A" },
        b: { anyOf: [{ type: "number" }, { type: "null" }], description: "B" },
        c: { anyOf: [string, { type: "null" }] },
        d: { anyOf: [object({ e: { anyOf: [string, { type: "null" }] } }), { type: "null" }] },
      }),
    });
  });

  it("is undone by the decoder: null for absent", () => {
    const schema = object(
      { a: string, b: { type: "number" }, c: { anyOf: [string, { type: "null" }] }, d: object({ e: string }, []) },
      ["a"],
    );
    expect(repair(schema, { a: "x", b: null, c: null, d: { e: null } })).toEqual({ a: "x", c: null, d: {} });
  });

  it("turns what it has no keyword for into words", () => {
    const schema = object({
      a: { type: "string", minLength: 2, maxLength: 5, format: "uri", default: "x", examples: ["y"], description: "A" },
      b: { type: "array", items: string, uniqueItems: true, minItems: 1 },
    });
    expect(toDialect(schema, "openai-strict").schema.properties).toEqual({
      a: {
        type: "string",
        description: 'A (characters at least 2, characters at most 5, format uri, default "x", for example "y")',
      },
      b: { type: "array", items: string, minItems: 1, description: "(no item twice)" },
    });
  });
});

it.each<[dialect: Dialect, name: string, schema: JsonSchema, problems: string[]]>([
  [
    "openai-strict",
    "record",
    { type: "object", properties: {}, additionalProperties: string },
    ["$input.x every key of an object must be known"],
  ],
  [
    "openai-strict",
    "tuple",
    { type: "array", prefixItems: [string], items: false },
    ["$input.x arrays have one type of element"],
  ],
  ["openai-strict", "unknown", {}, ["$input.x every value needs a type"]],
  ["openai-strict", "unknown inside", { type: "array", items: {} }, ["$input.x[] every value needs a type"]],
  ["gemini", "record", { type: "object", properties: {}, additionalProperties: string }, []],
  [
    "gemini",
    "pattern keys",
    { type: "object", properties: {}, patternProperties: { "^x": string } },
    ["$input.x keys cannot be told by a pattern"],
  ],
  ["gemini", "tuple", { type: "array", prefixItems: [string], items: false }, []],
  ["anthropic", "pattern keys", { type: "object", properties: {}, patternProperties: { "^x": string } }, []],
  ["mcp", "unknown", {}, []],
])("%s and a %s", (dialect, _, schema, problems) => {
  expect(toDialect(object({ x: schema }), dialect).problems.map(({ path, message }) => `${path} ${message}`)).toEqual(
    problems,
  );
});

it("gemini wants recursion through something optional, and bare refs", () => {
  const tree = (required: string[]): JsonSchema => ({
    ...object({ root: { $ref: "#/$defs/Tree", description: "R" } }),
    $defs: { Tree: object({ next: { $ref: "#/$defs/Tree" } }, required) },
  });
  expect(toDialect(tree(["next"]), "gemini").problems).toHaveLength(1);
  expect(toDialect(tree([]), "gemini")).toMatchObject({
    problems: [],
    schema: { properties: { root: { $ref: "#/$defs/Tree" } } },
  });
});

it("leaves the canonical schema as it is for those who take all of it", () => {
  const schema = object({ a: { type: "string", minLength: 2, default: "x" } });
  for (const dialect of ["openai", "anthropic", "mcp"] as const)
    expect(toDialect(schema, dialect)).toEqual({ schema, problems: [] });
});

it("tells what is too large", () => {
  const deep = Array.from({ length: 11 }).reduce<JsonSchema>((inner) => object({ a: inner }), string);
  expect(toDialect(deep, "openai-strict").problems).toMatchObject([
    { message: expect.stringContaining("levels of nesting") },
  ]);
  const wide = object({ a: { type: "string", enum: Array.from({ length: 1001 }, (_, i) => `v${i}`) } });
  expect(toDialect(wide, "openai-strict").problems).toMatchObject([
    { message: expect.stringContaining("1001 enum values") },
  ]);
});
