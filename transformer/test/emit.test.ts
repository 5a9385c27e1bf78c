/** What the transformer emits runs, in ES modules and in CommonJS, and equals what `gen` writes. */
import * as tool from "@tsukumo/tool";
import * as runtime from "@tsukumo/tool/runtime";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { printBlueprint } from "../src/blueprint.js";
import { generateModule } from "../src/generate.js";
import { compileSource, emitSource } from "./compile-source.js";

/** Runs emitted CommonJS; what it imports are this workspace's own packages. */
function runModule(text: string, modules: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const exports: Record<string, unknown> = {};
  const require = (name: string): unknown => {
    if (name in modules) return modules[name];
    if (name === "@tsukumo/tool") return tool;
    if (name === "@tsukumo/tool/runtime") return runtime;
    throw new Error(`Unexpected import of ${name}`);
  };
  new Function("exports", "require", text)(exports, require);
  return exports;
}

function load(source: string): Record<string, unknown> {
  return runModule(
    emitSource(source, { module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Bundler }),
  );
}

/** Plain TypeScript -> CommonJS, as a compiler without the transformer would do it. */
function transpile(text: string): string {
  return ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  }).outputText;
}

/** The module as plain compilers make it, with the definitions that `gen` writes beside it attached. */
function generatedFrom(source: string): Record<string, unknown> {
  const models = compileSource(source).tools.map(({ model }) => model);
  const plain = runModule(transpile(source));
  runModule(transpile(generateModule([{ specifier: "./tool.js", models }])), { "./tool.js": plain });
  return plain;
}

/** The functions of a module, or its class `Child`, made into one registry. */
function registryFor(exports: Record<string, unknown>): tool.ToolRegistry {
  const { Child } = exports;
  return registryOf(typeof Child === "function" ? Reflect.construct(Child, ["Ada"]) : exports);
}

function registryOf(exports: Record<string, unknown>): tool.ToolRegistry {
  return tool.ToolRegistry.of(...tool.toolDefinitions(exports));
}

const FUNCTIONS = `
import { type ToolContext, toolDefinition } from "@tsukumo/tool";
/** Adds.
 * @tool
 * @effect read_only
 * @param a First
 * @param rest Others */
export function add(a: number, ...rest: number[]): number { return rest.reduce((x, y) => x + y, a); }
/** Waits.
 * @tool wait_until
 * @param when When */
export const waitUntil = async (when: Date, ctx: ToolContext): Promise<string> => \`\${when.getTime()} \${ctx.conversationId}\`;
/** Takes an object.
 * @tool
 * @param input.city The city
 * @param input.days How many */
export function forecast({ city, days = 3 }: { city: string; days?: number }): string { return \`\${city} \${days}\`; }
/** No mark. */
function plain(text: string): string { return text.toUpperCase(); }
export const plainDefinition = toolDefinition(plain);
export const markedDefinition = toolDefinition(add);
`;

const CLASS = `
import { tool, toolRegistry } from "@tsukumo/tool";
@toolRegistry
export class App {
  #count = 0;
  constructor(readonly name: string) {}
  /** Greets. */
  @tool greet(/** Who */ who: string): string { return \`\${this.name} greets \${who}\`; }
  /** Counts. */
  @tool({ name: "count_up", effect: "destructive", description: "Counts up.", params: { by: "How far" } })
  countUp(by = 1): { count: number } { this.#count += by; return { count: this.#count }; }
  /** Static.
   * @tool */
  static twice(/** N */ n: number): number { return n * 2; }
  other(): void {}
}
export class Child extends App {
  /** Waves. */
  @tool wave(): string { return this.name; }
}
`;

describe("functions", () => {
  it("run with their arguments, context and defaults", async () => {
    const registry = registryOf(load(FUNCTIONS));
    expect((await registry.dispatch("add", { a: 1, rest: [2, 3] })).content).toBe("6");
    expect((await registry.dispatch("add", { a: 1 })).content).toBe("1");
    const context = new tool.ToolContext({ conversationId: "c1" });
    expect((await registry.dispatch("wait_until", { when: "1970-01-01T00:00:01Z" }, context)).content).toBe("1000 c1");
    expect((await registry.dispatch("forecast", { city: "Oslo" })).content).toBe("Oslo 3");
    expect(registry.definition("forecast")?.inputSchema).toEqual({
      type: "object",
      properties: {
        city: { type: "string", description: "The city" },
        days: { type: "number", description: "How many", default: 3 },
      },
      required: ["city"],
      additionalProperties: false,
    });
    expect(registry.definition("add")?.effect).toBe("read_only");
  });

  it("gives a definition to an unmarked function at the call, and the attached one to a marked one", async () => {
    const { plainDefinition, markedDefinition } = load(FUNCTIONS) as Record<string, tool.ToolDefinition>;
    if (plainDefinition === undefined || markedDefinition === undefined) throw new Error("missing");
    const registry = tool.ToolRegistry.of(plainDefinition, markedDefinition);
    expect((await registry.dispatch("plain", { text: "a" })).content).toBe("A");
    expect((await registry.dispatch("add", { a: 4 })).content).toBe("4");
  });
});

describe("classes", () => {
  it("bind to the instance, inherit, and lose their decorators", async () => {
    const exports = load(CLASS);
    const Child = exports.Child as new (name: string) => object;
    const registry = tool.ToolRegistry.of(...tool.toolDefinitions(new Child("Ada")));
    expect(registry.definitions().map((meta) => meta.name)).toEqual(["count_up", "greet", "twice", "wave"]);
    expect((await registry.dispatch("greet", { who: "Bob" })).content).toBe("Ada greets Bob");
    await registry.dispatch("count_up", {});
    expect((await registry.dispatch("count_up", { by: 4 })).structured).toEqual({ count: 5 });
    expect((await registry.dispatch("twice", { n: 4 })).content).toBe("8");
    expect(registry.isDestructive("count_up")).toBe(true);
    expect(registry.definition("count_up")).toMatchObject({
      description: "Counts up.",
      outputSchema: { type: "object" },
    });
    expect(emitSource(CLASS)).not.toMatch(/__esDecorate|@tool(?!sukumo|s)\b(?!\n|\s*\*)/);
  });

  it("works with legacy decorators switched on", async () => {
    const text = emitSource(CLASS, { experimentalDecorators: true, module: ts.ModuleKind.CommonJS });
    expect(text).not.toContain("__decorate");
  });
});

it("gives one definition for a function with two names", () => {
  const exports = load("/** D\n * @tool */\nexport function f(): void {}\nexport { f as g };\nexport default f;");
  expect(tool.toolDefinitions(exports)).toHaveLength(1);
});

it("passes nothing for an absent parameter whose name every object has", async () => {
  const registry = registryOf(
    load(
      '/** D\n * @tool */\nexport function f(constructor?: string, toString = "default", ...valueOf: string[]): string { return `${constructor} ${toString} ${valueOf.length}`; }',
    ),
  );
  expect((await registry.dispatch("f", {})).content).toBe("undefined default 0");
  expect((await registry.dispatch("f", { constructor: "c", toString: "t", valueOf: ["v"] })).content).toBe("c t 1");
});

it("emits the file as it is where it marks nothing", () => {
  expect(emitSource("export const a = 1;")).toBe("export const a = 1;\n");
});

const PROMPTS = `
/** Reviews code.
 * @prompt code_review
 * @param lang The language
 * @param depth How deep */
export function codeReview(lang: string, depth = 1): string { return \`Review \${lang} \${depth * 2}\`; }
/** A config file.
 * @resource file:///config/{app}/v{version}.json
 * @mimeType application/json
 * @param app The app
 * @param version Its version */
export async function config(app: string, version: number): Promise<object> { return { app, next: version + 1 }; }
/** The readme.
 * @resource app:///readme */
export function readme(): string { return "hello"; }
`;

describe("prompts and resources", () => {
  it("run, with what clients send as text read as what it is", async () => {
    for (const exports of [load(PROMPTS), generatedFrom(PROMPTS)]) {
      const [prompt] = tool.promptDefinitions(exports).map((definition) => definition());
      if (prompt === undefined) throw new Error("no prompt");
      expect(prompt[0]).toMatchObject({ name: "code_review", description: "Reviews code." });
      expect(tool.promptArguments(prompt[0])).toEqual([
        { name: "lang", description: "The language", required: true },
        { name: "depth", description: "How deep", required: false },
      ]);
      expect(await prompt[1].get({ lang: "Go", depth: "2" })).toEqual({
        messages: [{ role: "user", content: "Review Go 4" }],
      });
      await expect(prompt[1].get({ depth: "deep" })).rejects.toMatchObject({ code: "InvalidArgument" });

      const [file, page] = tool.resourceDefinitions(exports).map((definition) => definition());
      if (file === undefined || page === undefined) throw new Error("no resource");
      expect(file[0]).toMatchObject({
        uriTemplate: "file:///config/{app}/v{version}.json",
        mimeType: "application/json",
      });
      expect([tool.isConcrete(file[0]), tool.isConcrete(page[0])]).toEqual([false, true]);
      expect(await file[1].read("file:///config/a%20b/v2.json")).toEqual({
        uri: "file:///config/a%20b/v2.json",
        mimeType: "application/json",
        content: '{"app":"a b","next":3}',
      });
      await expect(file[1].read("file:///config/a/b/v2.json")).rejects.toMatchObject({ code: "NotFound" });
      await expect(file[1].read("file:///config/a/vx.json")).rejects.toMatchObject({ code: "InvalidArgument" });
      expect((await page[1].read("app:///readme")).content).toBe("hello");
      expect(page[1].matches("app:///readme2")).toBe(false);
    }
  });
});

describe("gen", () => {
  it.each([
    ["functions", FUNCTIONS],
    ["class", CLASS],
  ])("writes a module for plain compilers whose metas and checks are the transformer's: %s", async (_, source) => {
    const models = compileSource(source).tools.map(({ model }) => model);
    const generated = registryFor(generatedFrom(source.replace(/export const (?:plain|marked)Definition.*\n/g, "")));
    const transformed = registryFor(load(source));
    expect(JSON.stringify(generated.definitions())).toBe(JSON.stringify(transformed.definitions()));
    for (const { name } of transformed.definitions()) {
      const outcome = (registry: tool.ToolRegistry) =>
        registry.dispatch(name, { a: "x", nope: 1 }).then(String, String);
      expect(await outcome(generated)).toBe(await outcome(transformed));
    }
    for (const model of models) {
      // The TypeScript print has annotations, and its meta as JSON text.
      const bare = (text: string): string =>
        text
          .replace(/: (?:any|boolean|__tsukumo\.\w+Blueprint)\b/g, "")
          .replaceAll("<unknown>", "")
          .replace(/meta: .*/, "meta");
      expect(bare(printBlueprint(model, "f", { typescript: true }))).toBe(
        bare(printBlueprint(model, "f", { typescript: false })),
      );
    }
  });

  it("names what it generates after the function or the method", () => {
    const models = compileSource(CLASS).tools.map(({ model }) => model);
    const text = generateModule([{ specifier: "./app.js", models }]);
    for (const name of [
      "export type GreetArgs",
      "export class ToolGreet",
      "export function greetDefinition(app: App)",
      "export function appDefinitions(app: App)",
      "countUpDefinition",
      "childDefinitions",
    ]) {
      expect(text).toContain(name);
    }
  });
});
