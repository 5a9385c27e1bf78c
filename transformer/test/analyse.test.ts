/** Signatures, docs and options as the model has them. */
import { describe, expect, it } from "vitest";
import { metaOf } from "../src/blueprint.js";
import { compileSource } from "./compile-source.js";

function meta(source: string) {
  const { tools, sink } = compileSource(source);
  const [error] = sink.all.filter((diagnostic) => diagnostic.severity === "error");
  if (error !== undefined) throw new Error(`${error.code}: ${error.message}`);
  const [tool] = tools;
  if (tool === undefined) throw new Error("no tool");
  return metaOf(tool.model);
}

describe("names, descriptions and effects", () => {
  it.each<[name: string, source: string, expected: object]>([
    [
      "the whole comment",
      "/** One.\n *\n * Two.\n * @tool */\nexport function f(): void {}",
      { name: "f", description: "One.\n\nTwo.", effect: "mutating" },
    ],
    ["the fallback", "/** @tool */\nexport function f(): void {}", { description: "Tool: f" }],
    ["another name", "/** D\n * @tool g_h */\nexport function f(): void {}", { name: "g_h" }],
    [
      "a description tag",
      "/** D\n * @tool\n * @description Other */\nexport function f(): void {}",
      { description: "Other" },
    ],
    [
      "an effect",
      "/** D\n * @tool\n * @effect destructive */\nexport function f(): void {}",
      { effect: "destructive" },
    ],
    ["idempotent", "/** D\n * @tool\n * @idempotent */\nexport function f(): void {}", { effect: "read_only" }],
    ["links", "/** See {@link f}.\n * @tool */\nexport function f(): void {}", { description: "See {@link f}." }],
    [
      "an arrow function",
      "/** D\n * @tool */\nexport const f = async (): Promise<void> => {};",
      { name: "f", description: "D" },
    ],
    ["a default export", "/** D\n * @tool */\nexport default function f(): void {}", { name: "f" }],
  ])("%s", (_, source, expected) => {
    expect(meta(source)).toMatchObject(expected);
  });
});

describe("parameters", () => {
  it.each<[name: string, signature: string, properties: object, required?: string[], docs?: string]>([
    ["optional", "a?: number", { a: { type: "number" } }],
    ["or undefined", "a: number | undefined", { a: { type: "number" } }],
    ["default text", 'a = "x"', { a: { type: "string", default: "x" } }],
    ["default number", "a = -1", { a: { type: "number", default: -1 } }],
    ["default array", 'a: string[] = ["x"]', { a: { type: "array", items: { type: "string" }, default: ["x"] } }],
    [
      "default object",
      "a: { b: number } = { b: 1 }",
      {
        a: {
          type: "object",
          properties: { b: { type: "number" } },
          required: ["b"],
          additionalProperties: false,
          default: { b: 1 },
        },
      },
    ],
    ["computed default", "a: number = Math.random()", { a: { type: "number" } }],
    ["literal union default", 'a: "x" | "y" = "y"', { a: { type: "string", enum: ["x", "y"], default: "y" } }],
    ["default enum member", "a: Level = Level.High", { a: { type: "number", enum: [0, 1], default: 1 } }],
    ["rest", "...a: string[]", { a: { type: "array", items: { type: "string" } } }],
    ["@param with a dash", "a: string", { a: { type: "string", description: "The a" } }, ["a"], "@param a - The a"],
    [
      "a comment in front wins",
      "/** Near */ a: string",
      { a: { type: "string", description: "Near" } },
      ["a"],
      "@param a Far",
    ],
    [
      "tags in front",
      "/** Near\n * @minimum 2 */ a: number",
      { a: { type: "number", minimum: 2, description: "Near" } },
      ["a"],
    ],
    ["object named args", "args: { a: string; b?: number }", { a: { type: "string" }, b: { type: "number" } }, ["a"]],
    [
      "object named otherwise",
      "options: { a: string }",
      {
        options: {
          type: "object",
          properties: { a: { type: "string" } },
          required: ["a"],
          additionalProperties: false,
        },
      },
      ["options"],
    ],
    [
      "destructured",
      "{ a, b = 2 }: { a: string; b?: number }",
      { a: { type: "string" }, b: { type: "number", default: 2 } },
      ["a"],
    ],
    ["context anywhere", "first: ToolContext, a: string", { a: { type: "string" } }, ["a"]],
    ["optional context", "a: string, ctx?: ToolContext", { a: { type: "string" } }, ["a"]],
    ["args beside a context", "args: { a: string }, ctx: ToolContext", { a: { type: "string" } }, ["a"]],
  ])("%s", (_, signature, properties, required = [], docs = "") => {
    const source = `import type { ToolContext } from "@tsukumo/tool";\nenum Level { Low, High }\n/** D\n * @tool\n * ${docs} */\nexport function f(${signature}): void {}`;
    expect(meta(source).inputSchema).toEqual({
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    });
  });

  it("knows the context by its type, not by its name", () => {
    const source =
      "interface ToolContext { q: string }\n/** D\n * @tool */\nexport function f(context: ToolContext): void {}";
    expect(meta(source).inputSchema).toMatchObject({
      properties: { context: { properties: { q: { type: "string" } } } },
    });
  });
});

describe("results", () => {
  it.each<[type: string, output: object | undefined]>([
    ["string", undefined],
    ["void", undefined],
    ["Promise<void>", undefined],
    ["unknown", undefined],
    ["Map<string, string>", undefined],
    ["number", { type: "number" }],
    [
      "Promise<{ a: Date; b?: string }>",
      {
        type: "object",
        properties: { a: { type: "string", format: "date-time" }, b: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      },
    ],
    [
      "{ a: number; m(): void }",
      { type: "object", properties: { a: { type: "number" } }, required: ["a"], additionalProperties: false },
    ],
    [
      "{ a: { toJSON(): number } }",
      { type: "object", properties: { a: { type: "number" } }, required: ["a"], additionalProperties: false },
    ],
    ["number[] | undefined", { anyOf: [{ type: "array", items: { type: "number" } }, { type: "null" }] }],
  ])("%s", (type, output) => {
    expect(meta(`/** D\n * @tool */\nexport function f(): ${type} { throw new Error(); }`).outputSchema).toEqual(
      output,
    );
  });
});

it.each([
  ["file:///{a}/{b}.txt", undefined],
  ["file:///{+a}/{b}", undefined],
  ["no-scheme/{a}/{b}", "no scheme"],
  ["x:{a}{b}", "side by side"],
  ["x:{a}", "parameter b is not in it"],
  ["x:{a}/{b}/{c}", '"c" is no parameter'],
  ["x:{a}/{a}/{b}", "stands in it twice"],
  ["x:{a}/{b", "braces do not pair"],
])("resource URI %s", (uri, refusal) => {
  const { tools, sink } = compileSource(
    `/** D\n * @resource ${uri}\n * @param a A\n * @param b B */\nexport function f(a: string, b: string): string { return a + b; }`,
  );
  if (refusal === undefined) expect(tools[0]?.model.uri).toBe(uri);
  else expect(sink.all.map((d) => `${d.code} ${d.message}`).join()).toMatch(new RegExp(`TSK1022 .*${refusal}`));
});
