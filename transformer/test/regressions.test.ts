/** Inputs that once went wrong. */
import * as tool from "@tsukumo/tool";
import * as runtime from "@tsukumo/tool/runtime";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { generateModule } from "../src/generate.js";
import { schemaOf } from "../src/schema.js";
import { compileSource, emitSource, programOf } from "./compile-source.js";

function registryOf(source: string): tool.ToolRegistry {
  const exports: Record<string, unknown> = {};
  const require = (name: string): unknown => (name === "@tsukumo/tool" ? tool : runtime);
  new Function("exports", "require", emitSource(source, { module: ts.ModuleKind.CommonJS }))(exports, require);
  return tool.ToolRegistry.of(...tool.toolDefinitions(exports));
}

const take = (type: string, helpers = "", result = "void", body = "") =>
  `${helpers}\n/** D\n * @tool\n * @param value V */\nexport function take(value: ${type}): ${result} { ${body} }`;

function propertyOf(type: string, helpers = ""): { value: Record<string, unknown>; size: number; codes: string[] } {
  const { tools, sink } = compileSource(take(type, helpers));
  const model = tools[0]?.model;
  const codes = sink.all.map((diagnostic) => diagnostic.code);
  if (model === undefined) return { value: {}, size: 0, codes };
  const schema = schemaOf(model.input, model.definitions);
  const properties = schema.properties as Record<string, Record<string, unknown>>;
  return { value: properties.value ?? {}, size: JSON.stringify(schema).length, codes };
}

describe("emitted code", () => {
  it("never takes comments from the place that it has in the printed text", () => {
    for (let length = 1; length <= 400; length += 3) {
      const comment = `/* ${"x".repeat(length)} */`;
      const text = emitSource(
        `${comment}\n/** A. @tool */\nexport function f(): void {}\n${comment}\n/** B. @tool\n * @param a A */\nexport function g(a: "x" | 3): void {}\n`,
      );
      const [errors] = [
        ts.transpileModule(text, { reportDiagnostics: true, compilerOptions: { target: ts.ScriptTarget.ES2022 } })
          .diagnostics ?? [],
      ];
      expect(errors).toEqual([]);
      expect(text.split(comment)).toHaveLength(3);
    }
  });

  it.each(["o0", "a", "c", "s", "v", "n", "x0", "k", "i"])(
    "calls a tool named %s, and nothing of its own",
    async (name) => {
      const registry = registryOf(
        `/** D\n * @tool\n * @param x X\n * @param y Y */\nexport function ${name}(x: string, y: string[] = []): string { return x + y.length; }`,
      );
      expect((await registry.dispatch(name, { x: "q", y: ["r"] })).content).toBe("q1");
    },
  );
});

describe("arguments", () => {
  it("explains and repairs nested unions in bounded time", async () => {
    const registry = registryOf(take("E", "type E = number | E[] | { e: E };"));
    for (const depth of [16, 40, 120]) {
      const args = `{"value":${"[".repeat(depth)}"bad"${"]".repeat(depth)}}`;
      await expect(registry.dispatch("take", args)).rejects.toMatchObject({ code: "InvalidArgument" });
    }
  });

  it("refuses what nests deeper than the stack, as an argument error", async () => {
    const registry = registryOf(take("E", "type E = number | E[];"));
    for (const depth of [10_000, 100_000]) {
      const args = `{"value":${"[".repeat(depth)}1${"]".repeat(depth)}}`;
      await expect(registry.dispatch("take", args)).rejects.toMatchObject({ code: "InvalidArgument" });
    }
  });

  it("revives each key by its own pattern", async () => {
    const type = "{ [k: `d_${string}`]: Date; [k: `n_${string}`]: number }";
    const registry = registryOf(
      take(
        type,
        "",
        "string",
        "return Object.entries(value).map(([k, v]) => `${k}:${(v as unknown) instanceof Date}`).join();",
      ),
    );
    expect((await registry.dispatch("take", { value: { d_a: "2020-01-01T00:00:00Z", n_b: 5 } })).content).toBe(
      "d_a:true,n_b:false",
    );
  });

  it.each([
    ["URL", "http://", undefined],
    ["URL", "http://a:99999999", undefined],
    ["URL", "https://a.example/b", "https://a.example/b"],
    ["Date", "2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
    ["Date", "2020-01-01T00:00:00+01", "2019-12-31T23:00:00.000Z"],
    ["Date", "2020-02-30T00:00:00Z", undefined],
  ])("gives a %s of %s, or refuses it", async (type, text, expected) => {
    const registry = registryOf(take(type, "", "unknown", "return value.toJSON();"));
    const outcome = registry.dispatch("take", { value: text });
    if (expected === undefined) await expect(outcome).rejects.toMatchObject({ code: "InvalidArgument" });
    else expect((await outcome).content).toBe(expected);
  });

  it("requires the elements of a rest tuple", async () => {
    const registry = registryOf(
      "/** D\n * @tool\n * @param pair P */\nexport function f(...pair: [string, number]): string { return pair.join(); }",
    );
    expect(registry.definition("f")?.inputSchema.required).toEqual(["pair"]);
    expect((await registry.dispatch("f", { pair: ["a", 1] })).content).toBe("a,1");
  });

  it("lets an optional arguments object be left out", async () => {
    const registry = registryOf(
      "/** D\n * @tool\n * @param input I */\nexport function f(input?: { a: string }): string { return String(input?.a); }",
    );
    expect((await registry.dispatch("f", {})).content).toBe("undefined");
    expect((await registry.dispatch("f", { input: { a: "x" } })).content).toBe("x");
  });

  it.each([
    ['{"value":"9007199254740993"}', "number"],
    ['{"value":"12345678901234567890"}', "number"],
    ['{"value":[,]}', "string[]"],
    ["{,}", "string"],
  ])("does not repair %s for %s", async (text, type) => {
    await expect(registryOf(take(type)).dispatch("take", text)).rejects.toMatchObject({ code: "InvalidArgument" });
  });
});

describe("types", () => {
  it("keeps the properties of intersected objects, whatever their names", () => {
    for (const name of ["_type", "__typename", "__brand"]) {
      expect(propertyOf(`{ ${name}: "dog" } & { name: string }`).value).toMatchObject({
        required: expect.arrayContaining([name, "name"]),
      });
    }
  });

  it.each(["{}", "Iterable<string>", "{ [Symbol.iterator](): Iterator<string> }"])(
    "refuses %s, which says nothing that JSON has",
    (type) => {
      expect(propertyOf(type).codes).toContain("TSK1001");
    },
  );

  it("knows an empty object, and properties that must not be there", () => {
    const empty = { type: "object", properties: {}, additionalProperties: false };
    expect(propertyOf("Record<string, never>").value).toMatchObject(empty);
    expect(propertyOf("{ a: string; b?: never; c?: undefined }").value).toMatchObject({
      properties: { a: { type: "string" } },
      required: ["a"],
    });
  });

  it("refuses two templates for one text", () => {
    expect(propertyOf("`a${string}` & `${string}b`").codes).toContain("TSK1001");
  });

  it.each([
    ["Omit", 'Omit<User, "id">', ["zip", "name", "age"]],
    ["Pick", 'Pick<User, "name" | "zip">', ["zip", "name"]],
    ["a mapped type over a mapped type", 'Partial<Omit<User, "id">>', ["zip", "name", "age"]],
    ["an alias", "NewUser", ["zip", "name", "age"]],
    ["an intersection", '{ more: 1 } & Omit<User, "id">', ["more", "zip", "name", "age"]],
    ["an interface that extends one", "Extended", ["more", "zip", "name", "age"]],
    ["Record", 'Record<"zip" | "age", string>', ["zip", "age"]],
    ["Record of an alias", "Record<Field, string>", ["zip", "age"]],
    ["an alias of a Record", "Fields", ["zip", "age"]],
    ["Record of an enum", "Record<Level, 1>", ["low", "high"]],
    ["Record of keys", "Record<keyof User, 1>", ["age", "id", "name", "zip"]],
    ["a mapped type of one's own", "Flags<User>", ["zip", "id", "name", "age"]],
    ["new names for the keys", "Getters<User>", ["getZip", "getId", "getName", "getAge"]],
  ])("keeps the order in which properties are written: %s", (_, type, expected) => {
    const helpers = `
      interface User { zip: string; id: string; name: string; age: number }
      type NewUser = Omit<User, "id">;
      interface Extended extends Omit<User, "id"> { more: 1 }
      type Field = "zip" | "age";
      type Fields = Record<Field, string>;
      enum Level { Low = "low", High = "high" }
      type Flags<T> = { [K in keyof T]?: boolean };
      type Getters<T> = { [K in keyof T as \`get\${Capitalize<K & string>}\`]: T[K] };`;
    const order = (before: string): string[] => Object.keys(propertyOf(type, before + helpers).value.properties ?? {});
    expect(order("")).toEqual(expected);
    // TypeScript meets the keys in other orders here.
    expect(order('type Earlier = ["age", "high", "name", "zip", "id", "low", "getAge"];')).toEqual(expected);
  });

  it("walks each type once", () => {
    const names = ["A", "B", "C", "D", "E", "F", "G"];
    const mutual = names
      .map((name) => `interface ${name} { ${names.map((other) => `${other.toLowerCase()}?: ${other}`).join("; ")} }`)
      .join("\n");
    expect(propertyOf("A", mutual).size).toBeLessThan(20_000);
    expect(propertyOf("Grow<string>", "interface Grow<T> { v: T; a?: Grow<T[]>; b?: Grow<[T]> }").codes).toContain(
      "TSK1001",
    );
    const levels = Array.from({ length: 14 }, (_, i) => `interface L${i + 1} { a: L${i}; b: L${i} }`).join("\n");
    expect(propertyOf("L14", `interface L0 { x: string }\n${levels}`).size).toBeLessThan(20_000);
  });
});

describe("marks", () => {
  it.each([
    [
      "the first overload",
      "/** D\n * @tool */\nexport function f(a: string): void;\nexport function f(a: string, b?: number): void {}",
    ],
    ["an abstract method", "export abstract class A {\n /** D\n * @tool */\n abstract f(): void;\n}"],
    ["an interface's method", "export interface A {\n /** D\n * @tool */\n f(): void;\n}"],
    ["a default arrow function", "/** D\n * @tool */\nexport default (a: string): void => {};"],
    ["a declared function", "/** D\n * @tool */\nexport declare function f(a: string): void;"],
  ])("on %s is told, not lost", (_, source) => {
    const { tools, sink } = compileSource(source);
    expect(tools).toEqual([]);
    expect(sink.all.map((d) => d.code)).toContain("TSK1005");
  });

  it.each([
    ["import { tool as t } from '@tsukumo/tool';\nexport class A {\n /** D */\n @t f(): void {}\n}"],
    ["import * as T from '@tsukumo/tool';\nexport class A {\n /** D */\n @T.tool({ name: 'f' }) g(): void {}\n}"],
  ])("is known under another name: %s", (source) => {
    expect(compileSource(source).tools.map(({ model }) => model.name)).toEqual(["f"]);
  });
});

it("generates modules that compile, whatever the author's names", () => {
  const source = `
/** D @tool */ export default function dflt(): void {}
/** D @tool */ export function get(): void {}
/** D @tool */ export function getDefinition(): void {}
/** D @tool */ export function definitions(): void {}
/** D @tool */ export function _1up(): void {}
/** D @tool */ function hidden(): void {}
export { hidden as shown };
/** D
 * @tool
 * @param when W */
export function dates(when: Record<string, Date>): void {}
export class Box<T> { value?: T;
  /** D
   * @tool */
  open(): void {}
}
export class ToolGo {
  /** D
   * @tool */
  go(): void {}
}
`;
  const models = compileSource(source).tools.map(({ model }) => model);
  expect(models).toHaveLength(9);
  const module = generateModule([{ specifier: "./tool.js", models }]).replaceAll(
    "@tsukumo/tool/runtime",
    "../../packages/tool/dist/runtime/index.js",
  );
  const program = programOf({ "tool.ts": source, "tools.gen.ts": module });
  const errors = program
    .getSourceFiles()
    .flatMap((file) => (file.fileName.endsWith("tools.gen.ts") ? program.getSemanticDiagnostics(file) : []));
  expect(errors.map((error) => ts.flattenDiagnosticMessageText(error.messageText, "\n"))).toEqual([]);
});
