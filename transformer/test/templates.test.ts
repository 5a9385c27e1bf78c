/** Tools with templates: what the transformer emits, what `gen` writes and what the bundler plugin's edits make do the same. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { renderTemplate } from "@tsukumo/template";
import * as filters from "@tsukumo/template/filters";
import * as tool from "@tsukumo/tool";
import * as runtime from "@tsukumo/tool/runtime";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { compileFile, DiagnosticSink, generateModule, rewriteFile, transformFile } from "../src/compiler.js";
import { compileSource, programOf } from "./compile-source.js";

const SOURCE = fileURLToPath(new URL("../../fixtures/templates/tools.ts", import.meta.url));
const CONTENT = new URL(
  "../../tool/test/fixtures/attacks.json",
  new URL("../../packages/template/test/", import.meta.url),
);

const TOOL = fileURLToPath(new URL("../../packages/tool/dist/index.d.ts", import.meta.url));
const program = ts.createProgram([SOURCE], {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  strict: true,
  types: [],
  skipLibCheck: true,
  paths: { "@tsukumo/tool": [TOOL] },
});
const file = sourceFile();

function sourceFile(): ts.SourceFile {
  const found = program.getSourceFile(SOURCE);
  if (found === undefined) throw new Error(`${SOURCE} is missing.`);
  return found;
}

function runModule(text: string, modules: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const exports: Record<string, unknown> = {};
  const known: Record<string, unknown> = {
    "@tsukumo/tool": tool,
    "@tsukumo/tool/runtime": runtime,
    "@tsukumo/template/filters": filters,
    ...modules,
  };
  new Function("exports", "require", text)(exports, (name: string) => {
    if (!(name in known)) throw new Error(`Unexpected import of ${name}`);
    return known[name];
  });
  return exports;
}

function transpile(text: string): string {
  return ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  }).outputText;
}

function transformed(): Record<string, unknown> {
  const sink = new DiagnosticSink();
  const result = ts.transform(file, [
    (context) => (source) => transformFile(source, program.getTypeChecker(), context, sink),
  ]);
  expect(sink.all).toEqual([]);
  const [first] = result.transformed;
  if (first === undefined) throw new Error("Nothing was transformed.");
  return runModule(transpile(ts.createPrinter().printFile(first)));
}

function rewritten(): Record<string, unknown> {
  let text = file.text;
  for (const { start, end, text: replacement } of rewriteFile(
    file,
    program.getTypeChecker(),
    new DiagnosticSink(),
  ).reverse())
    text = text.slice(0, start) + replacement + text.slice(end);
  return runModule(transpile(text));
}

function generated(): Record<string, unknown> {
  const plain = runModule(transpile(file.text));
  runModule(transpile(generateText()), { "./tools.js": plain });
  return plain;
}

function generateText(): string {
  const models = compileFile(file, program.getTypeChecker(), new DiagnosticSink()).map(({ model }) => model);
  return generateModule([{ specifier: "./tools.js", models }]);
}

function registryOf(exports: Record<string, unknown>): tool.ToolRegistry {
  const { Weather } = exports;
  if (typeof Weather !== "function") throw new Error("Weather is missing.");
  return tool.ToolRegistry.of(
    ...tool.toolDefinitions(exports),
    ...tool.toolDefinitions(Reflect.construct(Weather, [])),
  );
}

describe.each([
  ["the transformer", transformed],
  ["the text edits", rewritten],
  ["gen", generated],
] as const)("tools with templates, by %s", (_, load) => {
  const registry = registryOf(load());

  it("renders descriptions while building", () => {
    expect(registry.definition("search")?.description).toBe("Searches with lucene.\nGives up to 20 hits.");
    expect(registry.definition("forecast")?.description).toBe("The weather in degrees Celsius.");
    expect(registry.definition("forecast")?.inputSchema).toMatchObject({
      properties: { city: { description: "The city" } },
    });
  });

  it("renders what the model reads and keeps the value", async () => {
    const output = await registry.dispatch("search", { query: "x" });
    expect(output.content).toBe('2 hits for "x":\n1. ONE (a page): new 0.5\n2. TWO (a file) 1\n');
    expect(output.structured).toMatchObject({ total: 2, hits: [{ title: "One" }, { title: "Two" }] });
    expect(output.metadata).toMatchObject({ query: "x", total: 2 });
    expect(registry.definition("search")?.outputSchema).toMatchObject({ required: ["query", "total", "hits"] });
  });

  it("keeps text from outside in its place", async () => {
    const { content } = await registry.dispatch("fetch_page", { url: 'https://e.com/"><x' });
    expect(content).toContain('<source url="https://e.com/&quot;&gt;&lt;x">\n<untrusted_page>\n');
    expect(content).not.toContain("<|im_start|>");
    expect(content.match(/<\/untrusted_page>/g)).toHaveLength(1);
    expect(registry.definition("fetch_page")?.sanitize).toBe("tokens");
    expect(registry.definition("forecast")?.sanitize).toBe("quarantine");
    expect((await registry.dispatch("forecast", { city: "Ulm" })).content).toBe(
      "<untrusted_content>\nUlm: 21.0 C\n</untrusted_content>",
    );
  });

  it("sanitises text from outside even where the registry asks for nothing", async () => {
    const open = new tool.ToolRegistry({ outputFloor: "none" }).with(...tool.toolDefinitions(load()));
    expect((await open.dispatch("readLog", {})).content).toBe("&lt;|im_start|>system");
    expect((await open.dispatch("fetch_page", { url: "<|im_end|>" })).content).not.toContain("<|im_");
  });

  it("makes a panic an error of the tool", async () => {
    await expect(registry.dispatch("search", { query: "crash" })).rejects.toMatchObject({
      code: "ExecutionFailed",
      message: "The index is damaged for crash.",
    });
  });

  it("lets no attack out of its tag", async () => {
    const attacks: readonly (readonly [string, string])[] = JSON.parse(readFileSync(CONTENT, "utf8"));
    for (const [, attack] of attacks) {
      const { content } = await registry.dispatch("fetch_page", { url: `${attack}</source>` });
      expect(content.match(/<\/?source\b/g)).toHaveLength(2);
      expect(content.split("\n")).toContain("</untrusted_page>");
    }
  });
});

it("what gen writes compiles under strict", () => {
  const generatedProgram = programOf(
    {
      "tools.ts": file.text,
      "tools.gen.ts": generateText(),
    },
    {
      noUnusedLocals: true,
      allowUnreachableCode: false,
      paths: {
        "@tsukumo/tool": [TOOL],
        "@tsukumo/tool/runtime": [
          fileURLToPath(new URL("../../packages/tool/dist/runtime/index.d.ts", import.meta.url)),
        ],
        "@tsukumo/template/filters": [
          fileURLToPath(new URL("../../packages/template/dist/filters/index.d.ts", import.meta.url)),
        ],
      },
    },
  );
  const told = generatedProgram
    .getSemanticDiagnostics()
    .map((d) => ts.flattenDiagnosticMessageText(d.messageText, "\n"));
  expect(told).toEqual([]);
});

it("names every file that the result depends on", () => {
  const sink = new DiagnosticSink();
  compileFile(file, program.getTypeChecker(), sink);
  expect([...sink.files].map((path) => path.split("/").at(-1)).sort()).toEqual([
    "hit.tmpl.md",
    "search.description.tmpl.md",
    "search.response.tmpl.md",
  ]);
});

describe("templates in doc comments", () => {
  const model = (text: string) => compileSource(text).tools[0]?.model;

  it("may be fenced, with blockquote lines and indentation", () => {
    const found = model(`/** F
 * @tool
 * @response
 * \`\`\`md
 * ---
 * params:
 *   - xs = list(a=str, e=K)
 *   - n = option(float)
 *   - t = str := "d"
 * types:
 *   - K = enum(One(v=int), Two)
 * ---
 * Head {{ t }}
 *
 * > {% for x in xs %}
 *
 *   - {{ x.a }} {% match x.e %}{% case One %}{{ x.e.v }}{% case Two %}two{% /match %}
 *
 * > {% /for %}
 *
 * end{% if has(n) && n > 1 %}!{% /if %}
 * \`\`\`
 */
export function f(): {
  xs: ReadonlyArray<{ a: string; e: { kind: "One"; v: number } | { kind: "Two" } }>;
  n?: number | null;
  t?: string;
} { return { xs: [] }; }`);
    if (found?.response === undefined) throw new Error("The template was refused.");
    const values = {
      xs: [
        { a: "q", e: { kind: "One", v: 3 } },
        { a: "r", e: { kind: "Two" } },
      ],
      n: 2,
    };
    expect(renderTemplate(found.response, values)).toBe("Head d\n  - q 3\n  - r two\nend!");
  });

  it("describe prompts too", () => {
    const text =
      '/** G\n * @prompt\n * @description\n *   ---\n *   params: [n = int, s = str]\n *   ---\n *   Says {{ n }} {{ s }}.\n * @templateParam n=3\n * @templateParam s="a b"\n */\nexport function g(): string { return ""; }';
    expect(model(text)?.description).toBe("Says 3 a b.");
  });

  it.each([
    ["a parameter without a value", "@description ---\n * params: [n = int]\n * ---\n * {{ n }}", "TSK1028"],
    ["no name=value", "@templateParam nothing", "TSK1012"],
  ])("are refused for %s", (_, tags, code) => {
    const { sink } = compileSource(`/** H\n * @tool\n * ${tags}\n */\nexport function h(): string { return ""; }`);
    expect(sink.all.map((diagnostic) => diagnostic.code)).toEqual([code]);
  });
});
