import { describe, expect, it } from "vitest";
import { schemaOf } from "../src/schema.js";
import { compileSource } from "./compile-source.js";

/** The schema of a parameter of the given type; helpers may declare what it needs. */
function schemaFor(type: string, helpers = ""): unknown {
  const { tools, sink } = compileSource(
    `${helpers}\n/** T\n * @tool\n * @param value V */\nexport function f(value: ${type}): void {}`,
  );
  const errors = sink.all.filter((d) => d.severity === "error").map((d) => `${d.code}: ${d.message}`);
  if (errors.length > 0) throw new Error(errors.join("\n"));
  const [tool] = tools;
  if (tool === undefined) throw new Error("no tool");
  const schema = schemaOf(tool.model.input, tool.model.definitions) as {
    properties: { value: Record<string, unknown> };
    $defs?: unknown;
  };
  const { description: _, ...value } = schema.properties.value;
  return schema.$defs === undefined ? value : { ...value, $defs: schema.$defs };
}

const closed = (properties: object, required: string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});
const string = { type: "string" };
const number = { type: "number" };

const TAGS = `
declare namespace tags {
  type TagBase<P extends { target: string; kind: string; value: unknown; schema?: object; validate?: string; exclusive?: boolean | string[] }> = { "typia.tag"?: P };
  type Minimum<V extends number> = TagBase<{ target: "number"; kind: "minimum"; value: V; validate: \`\${V} <= $input\`; exclusive: ["minimum"]; schema: { minimum: V } }>;
  type MaxLength<V extends number> = TagBase<{ target: "string"; kind: "maxLength"; value: V; validate: \`$input.length <= \${V}\`; exclusive: true; schema: { maxLength: V } }>;
  type Int32 = TagBase<{ target: "number"; kind: "type"; value: "int32"; validate: "true"; exclusive: true; schema: { type: "integer" } }>;
}`;

describe("types", () => {
  it.each<[name: string, type: string, schema: unknown, helpers?: string]>([
    ["string", "string", string],
    ["number", "number", number],
    ["boolean", "boolean", { type: "boolean" }],
    ["null", "null", { type: "null" }],
    ["string literal", `"a"`, { type: "string", enum: ["a"] }],
    ["literal union", `"a" | "b" | 3`, { enum: ["a", "b", 3] }],
    ["literals of one type", `"a" | "b"`, { type: "string", enum: ["a", "b"] }],
    ["true", "true", { type: "boolean", enum: [true] }],
    ["nullable", "string | null", { anyOf: [string, { type: "null" }] }],
    ["nullable boolean", "boolean | null", { anyOf: [{ type: "boolean" }, { type: "null" }] }],
    ["mixed union", "string | number", { anyOf: [string, number] }],
    ["array", "string[]", { type: "array", items: string }],
    ["readonly array", "readonly number[]", { type: "array", items: number }],
    ["array of union", "Array<string | null>", { type: "array", items: { anyOf: [string, { type: "null" }] } }],
    [
      "tuple",
      "[string, number]",
      { type: "array", prefixItems: [string, number], items: false, minItems: 2, maxItems: 2 },
    ],
    [
      "tuple with optional",
      "[string, number?]",
      { type: "array", prefixItems: [string, number], items: false, minItems: 1, maxItems: 2 },
    ],
    ["tuple with rest", "[string, ...number[]]", { type: "array", prefixItems: [string], items: number, minItems: 1 }],
    ["empty tuple", "[]", { type: "array", minItems: 0, maxItems: 0 }],
    ["record", "Record<string, number>", { type: "object", properties: {}, additionalProperties: number }],
    ["record of literals", `Record<"a" | "b", number>`, closed({ a: number, b: number })],
    [
      "record of numbers",
      "Record<number, string>",
      {
        type: "object",
        properties: {},
        patternProperties: { "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$": string },
        additionalProperties: false,
      },
    ],
    ["partial record", `Partial<Record<"a" | "b", number>>`, closed({ a: number, b: number }, [])],
    ["object", "{ a: string; b?: number }", closed({ a: string, b: number }, ["a"])],
    ["object with undefined", "{ a: string | undefined }", closed({ a: string }, [])],
    ["nested object", "{ a: { b: { c: string } } }", closed({ a: closed({ b: closed({ c: string }) }) })],
    [
      "property docs",
      "Docs",
      closed({ a: { type: "string", description: "What a is" } }),
      "interface Docs {\n /** What a is */ a: string }",
    ],
    [
      "property tags",
      "Tagged",
      closed({ a: { type: "number", minimum: 1, maximum: 5 } }),
      "interface Tagged {\n /** @minimum 1\n @maximum 5 */ a: number }",
    ],
    ["integer tag", "Tagged", closed({ a: { type: "integer" } }), "interface Tagged {\n /** @type int */ a: number }"],
    [
      "string tags",
      "Tagged",
      closed({ a: { type: "string", minLength: 1, maxLength: 9, pattern: "^a", format: "email" } }),
      "interface Tagged {\n /** @minLength 1\n@maxLength 9\n@pattern ^a\n@format email */ a: string }",
    ],
    [
      "array tags",
      "Tagged",
      closed({ a: { type: "array", items: string, minItems: 1, maxItems: 3, uniqueItems: true } }),
      "interface Tagged {\n /** @minItems 1\n@maxItems 3\n@uniqueItems */ a: string[] }",
    ],
    [
      "annotations",
      "Tagged",
      closed({ a: { type: "string", default: "x", examples: ["y"], deprecated: true } }),
      "interface Tagged {\n /** @default x\n@example y\n@deprecated */ a: string }",
    ],
    ["string enum", "E", { type: "string", enum: ["x", "y"] }, `enum E { A = "x", B = "y" }`],
    ["numeric enum", "E", { type: "number", enum: [0, 1] }, "enum E { A, B }"],
    ["const enum", "E", { type: "string", enum: ["x"] }, `const enum E { A = "x" }`],
    [
      "heritage",
      "B",
      closed({ b: number, a: string }),
      "interface A { a: string } interface B extends A { b: number }",
    ],
    ["intersection", "{ a: string } & { b: number }", closed({ a: string, b: number })],
    ["mapped", "{ [K in 'a' | 'b']: string }", closed({ a: string, b: string })],
    ["pick and omit", "Omit<{ a: string; b: number; c: boolean }, 'c'>", closed({ a: string, b: number })],
    ["conditional", "Flat<string[]>", string, "type Flat<T> = T extends (infer U)[] ? U : T;"],
    ["generic instance", "Box<number>", closed({ value: number }), "interface Box<T> { value: T }"],
    ["brand", "Id", string, `type Id = string & { readonly __brand: "Id" };`],
    [
      "symbol brand",
      "Id",
      number,
      "declare const brand: unique symbol; type Id = number & { readonly [brand]: true };",
    ],
    ["open string union", `"a" | (string & {})`, { anyOf: [{ type: "string", enum: ["a"] }, string] }],
    [
      "template literal",
      "`v${number}.${number}`",
      {
        type: "string",
        pattern:
          "^v-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\\.-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$",
      },
    ],
    [
      "template with literals",
      "`${'a' | 'b'}-${string}`",
      {
        anyOf: [
          { type: "string", pattern: "^a-[\\s\\S]*$" },
          { type: "string", pattern: "^b-[\\s\\S]*$" },
        ],
      },
    ],
    ["Date", "Date", { type: "string", format: "date-time" }],
    ["URL", "URL", { type: "string", format: "uri" }],
    ["unknown", "unknown", {}],
    [
      "index signature with properties",
      "{ a: number; [key: string]: number }",
      { type: "object", properties: { a: number }, required: ["a"], additionalProperties: number },
    ],
    ["typia tag", "number & tags.Minimum<3>", { type: "number", minimum: 3 }, TAGS],
    [
      "typia tags on an element",
      "(string & tags.MaxLength<3>)[]",
      { type: "array", items: { type: "string", maxLength: 3 } },
      TAGS,
    ],
    ["typia integer", "number & tags.Int32", { type: "integer", minimum: -2147483648, maximum: 2147483647 }, TAGS],
    [
      "recursive",
      "Tree",
      {
        $ref: "#/$defs/Tree",
        $defs: { Tree: closed({ value: string, children: { type: "array", items: { $ref: "#/$defs/Tree" } } }) },
      },
      "interface Tree { value: string; children: Tree[] }",
    ],
    [
      "discriminated union",
      "Shape",
      {
        anyOf: [
          closed({ kind: { type: "string", enum: ["circle"] }, r: number }),
          closed({ kind: { type: "string", enum: ["square"] }, side: number }),
        ],
      },
      `type Shape = { kind: "circle"; r: number } | { kind: "square"; side: number };`,
    ],
    ["readonly object", "Readonly<{ a: string }>", closed({ a: string })],
  ])("%s", (_, type, schema, helpers) => {
    expect(schemaFor(type, helpers)).toEqual(schema);
  });

  it.each([
    ["function", "() => void", "TSK1001"],
    ["property that is a function", "{ a: () => void }", "TSK1001"],
    ["method", "{ a(): void }", "TSK1001"],
    ["symbol", "symbol", "TSK1001"],
    ["bigint", "bigint", "TSK1001"],
    ["Map", "Map<string, number>", "TSK1001"],
    ["Set", "Set<string>", "TSK1001"],
    ["WeakMap", "WeakMap<object, string>", "TSK1001"],
    ["Promise", "Promise<string>", "TSK1001"],
    ["Uint8Array", "Uint8Array", "TSK1001"],
    ["never", "never", "TSK1001"],
    ["object", "object", "TSK1001"],
    ["any", "any", "TSK1003"],
    ["any inside", "{ a: any[] }", "TSK1003"],
    ["rest in the middle", "[...string[], number]", "TSK1001"],
  ])("refuses %s", (_, type, code) => {
    expect(() => schemaFor(type)).toThrow(code);
  });

  it.each([
    ["a generic that grows", "Grow<string>", "type Grow<T> = { value: T; next?: Grow<T[]> };"],
    ["a DOM element", "HTMLElement", ""],
    ["a window", "Window & typeof globalThis", ""],
  ])("refuses %s, and comes to an end", (_, type, helpers) => {
    expect(() => schemaFor(type, helpers)).toThrow("TSK1001");
  });

  it.each<[name: string, type: string, expected: unknown, helpers?: string]>([
    ["literals", '"z" | 9 | "a" | 1', { enum: ["z", 9, "a", 1] }],
    [
      "an alias",
      "Level",
      { type: "string", enum: ["low", "medium", "high"] },
      'type Level = "low" | "medium" | "high";',
    ],
    [
      "aliases in aliases",
      "All",
      { type: "string", enum: ["z", "a", "m", "b"] },
      'type Some = "z" | "a"; type All = Some | ("m" | "b");',
    ],
    ["elements", '("z" | "a")[]', { type: "array", items: { type: "string", enum: ["z", "a"] } }],
    ["an optional property", '{ p?: "z" | "a" }', closed({ p: { type: "string", enum: ["z", "a"] } }, [])],
    ["keys", "keyof Keys", { type: "string", enum: ["a", "m", "z"] }, "interface Keys { z: 1; a: 2; m: 3 }"],
    ["a numeric enum", "E", { type: "number", enum: [9, 1, 5] }, "enum E { Nine = 9, One = 1, Five = 5 }"],
    [
      "objects",
      "B | A",
      { anyOf: [closed({ b: string }), closed({ a: string })] },
      "interface A { a: string } interface B { b: string }",
    ],
  ])("keeps the order in which members are written: %s", (_, type, expected, helpers = "") => {
    // TypeScript meets the members in another order here.
    const before = 'type Earlier = [1, "a", "b", "high", "low", "m", "medium", "z", 9, 5];';
    expect(schemaFor(type, `${before}\n${helpers}`)).toEqual(expected);
    expect(schemaFor(type, helpers)).toEqual(expected);
  });

  it("points at the property that cannot be carried", () => {
    const text =
      "interface Outer { fine: string;\n  bad: Map<string, string> }\n/** T\n * @tool\n * @param o O */\nexport function f(o: Outer): void {}";
    const { sink } = compileSource(text);
    const [first] = sink.all;
    expect(first?.code).toBe("TSK1001");
    const { line } = first?.node.getSourceFile().getLineAndCharacterOfPosition(first.node.getStart()) ?? { line: -1 };
    expect(line).toBe(1);
  });
});
