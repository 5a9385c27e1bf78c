import { describe, expect, it } from "vitest";
import { type JsonSchema, ToolContext, ToolError } from "../src/index.js";
import { explain } from "../src/runtime/explain.js";
import { definition, type ToolBlueprint } from "../src/runtime/index.js";
import { parseLenient } from "../src/runtime/lenient-json.js";

const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: { type: "integer", minimum: 1 },
    metric: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    where: {
      type: "object",
      properties: { lat: { type: "number" }, note: { type: "string" } },
      required: ["lat"],
      additionalProperties: false,
    },
    mode: { enum: [1, 2, "auto"] },
    maybe: { anyOf: [{ type: "number" }, { type: "null" }] },
    either: { anyOf: [{ type: "number" }, { type: "boolean" }] },
    shape: {
      anyOf: [
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["circle"] }, r: { type: "number" } },
          required: ["kind", "r"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["square"] }, side: { type: "number" } },
          required: ["kind", "side"],
          additionalProperties: false,
        },
      ],
    },
  },
  required: ["city"],
  additionalProperties: false,
};

function blueprint(options: { strict?: boolean } = {}): { blueprint: ToolBlueprint; seen: unknown[] } {
  const seen: unknown[] = [];
  return {
    seen,
    blueprint: {
      meta: { name: "t", description: "T", effect: "read_only", inputSchema: SCHEMA },
      is: (value) => explain(SCHEMA, value).length === 0,
      call: (args) => {
        seen.push(args);
        return "done";
      },
      ...options,
    },
  };
}

async function decoded(text: string, options: { strict?: boolean } = {}): Promise<unknown> {
  const { blueprint: made, seen } = blueprint(options);
  await definition(made)()[1].execute(text, new ToolContext());
  return seen[0];
}

async function refused(text: string, options: { strict?: boolean } = {}): Promise<ToolError> {
  const { blueprint: made, seen } = blueprint(options);
  const error: unknown = await definition(made)()[1]
    .execute(text, new ToolContext())
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof ToolError)) throw new Error("It was not refused.");
  // The function must not have run.
  expect(seen).toEqual([]);
  return error;
}

describe("repairs what can be read in one way only", () => {
  it.each<[name: string, text: string, args: object]>([
    ["a number as text", '{"city":"a","days":"3"}', { city: "a", days: 3 }],
    ["a boolean as text", '{"city":"a","metric":"true"}', { city: "a", metric: true }],
    ["an array as text", '{"city":"a","tags":"[\\"x\\"]"}', { city: "a", tags: ["x"] }],
    ["an object as text", '{"city":"a","where":"{\\"lat\\":\\"1.5\\"}"}', { city: "a", where: { lat: 1.5 } }],
    ["null for absent", '{"city":"a","days":null,"where":{"lat":1,"note":null}}', { city: "a", where: { lat: 1 } }],
    ["null where null is meant", '{"city":"a","maybe":null}', { city: "a", maybe: null }],
    ["a member of a union", '{"city":"a","maybe":"4"}', { city: "a", maybe: 4 }],
    ["a number among literals", '{"city":"a","mode":"2"}', { city: "a", mode: 2 }],
    ["a code fence", '```json\n{"city":"a"}\n```', { city: "a" }],
    ["trailing commas", '{"city":"a, }","tags":["x",],}', { city: "a, }", tags: ["x"] }],
    ["the whole as text", '"{\\"city\\":\\"a\\"}"', { city: "a" }],
    ["spaces around", ' \n{"city":"a"} ', { city: "a" }],
  ])("%s", async (_, text, args) => {
    expect(await decoded(text)).toEqual(args);
  });

  it("not when it is switched off", async () => {
    for (const text of [
      '{"city":"a","days":"3"}',
      '{"city":"a","days":null}',
      '{"city":"a",}',
      '```\n{"city":"a"}\n```',
    ]) {
      expect((await refused(text, { strict: true })).code).toBe("InvalidArgument");
    }
  });
});

describe("refuses", () => {
  it.each<[text: string, issues: [kind: string, path: string][]]>([
    ["", [["missing", "$input.city"]]],
    ["null", [["missing", "$input.city"]]],
    ["{}", [["missing", "$input.city"]]],
    [
      '{"city":1,"days":0,"extra":true,"tags":[1,"a",2]}',
      [
        ["type", "$input.city"],
        ["type", "$input.days"],
        ["type", "$input.tags[0]"],
        ["type", "$input.tags[2]"],
        ["extra", "$input.extra"],
      ],
    ],
    [
      '{"city":"a","where":{"note":3,"odd key":1}}',
      [
        ["missing", "$input.where.lat"],
        ["type", "$input.where.note"],
        ["extra", '$input.where["odd key"]'],
      ],
    ],
    [
      '{"city":"a","shape":{"kind":"circle","side":1}}',
      [
        ["missing", "$input.shape.r"],
        ["extra", "$input.shape.side"],
      ],
    ],
    ['{"city":"a","shape":{"kind":"star"}}', [["type", "$input.shape"]]],
    ['{"city":"a","either":"yes"}', [["type", "$input.either"]]],
    ["[]", [["type", "$input"]]],
    ["3", [["type", "$input"]]],
    ['{"__proto__":1,"city":"a"}', [["extra", "$input.__proto__"]]],
  ])("%s with every problem and its path", async (text, issues) => {
    const error = await refused(text);
    expect(error.code).toBe("InvalidArgument");
    expect(error.issues.map(({ kind, path }) => [kind, path])).toEqual(issues);
    for (const [, path] of issues) expect(error.message).toContain(path);
  });

  it.each([
    '{"city":"Par',
    '{"city":"Paris"',
    '{"city":"Paris",',
    '```json\n{"city":"a"',
    '{"city":"a","where":{"lat":1}',
    "{city:'a'}",
    "nonsense",
  ])("%s, which is not whole", async (text) => {
    const error = await refused(text);
    expect(error.issues).toMatchObject([{ kind: "syntax", path: "$input" }]);
  });

  it("an ambiguous value, unrepaired", async () => {
    expect((await refused('{"city":5}')).issues).toMatchObject([
      { path: "$input.city", expected: "string", received: "5" },
    ]);
    expect((await refused('{"city":"a","days":"three"}')).issues).toMatchObject([{ path: "$input.days" }]);
    expect((await refused('{"city":"a","days":"1.5"}')).issues).toMatchObject([{ path: "$input.days" }]);
  });
});

it("lists at most 25 problems and counts the rest", async () => {
  const error = await refused(JSON.stringify({ city: "a", tags: Array.from({ length: 40 }, () => 1) }));
  expect(error.issues).toHaveLength(40);
  expect(error.message).toContain("and 15 more");
});

it.each([
  ['{"a":"x,}"}', { a: "x,}" }],
  ['{"a":"\\",]"  ,  }', { a: '",]' }],
  ["[1,2,]", [1, 2]],
  ["[1,,2]", undefined],
  ["{", undefined],
])("parseLenient reads %s as %j", (text, value) => {
  expect(parseLenient(text)?.value).toEqual(value);
});
