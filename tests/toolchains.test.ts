/** One tool folder in every toolchain: built, run, and the same schemas everywhere. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PackedProject } from "./packed-project.js";

let project: PackedProject;
afterAll(() => project?.remove());

const TYPES = `export interface Point {
  /** Across */
  x: number;
  /** Up */
  y: number;
}
export enum Unit { Metre = "m", Foot = "ft" }
`;

const TOOLS = `import { type ToolContext, tool, toolRegistry } from "@tsukumo/tool";
import { type Point, Unit } from "./types";

/**
 * Measures a path.
 * @tool
 * @effect read_only
 * @param points The corners
 * @param unit What to measure in
 */
export const measure = async (points: Point[], unit: Unit = Unit.Metre, ctx?: ToolContext): Promise<string> => {
  let length = 0;
  for (let i = 1; i < points.length; i++) length += Math.hypot(points[i]!.x - points[i - 1]!.x, points[i]!.y - points[i - 1]!.y);
  return \`\${length} \${unit} \${ctx !== undefined}\`;
}

@toolRegistry
export class Diary {
  lines: string[] = [];
  /** Writes a line. */
  @tool({ name: "write_line" }) write(/** The line */ line: string): number { return this.lines.push(line); }
}
`;

const MAIN = `import { ToolContext, ToolRegistry, toolDefinition, toolDefinitions } from "@tsukumo/tool";
import { Diary, measure } from "./tools";
/* GENERATED */
const registry = ToolRegistry.of(toolDefinition(measure), ...toolDefinitions(new Diary()));
async function main(): Promise<void> {
  const measured = await registry.dispatch("measure", { points: [{ x: 0, y: 0 }, { x: 3, y: 4 }] }, new ToolContext());
  const written = await registry.dispatch("write_line", { line: "a" });
  const refused = await registry.dispatch("measure", { points: [{ x: 1 }] }).catch((error: { message: string }) => error.message);
  console.log(JSON.stringify([registry.definitions(), measured.content, written.content, refused]));
}
void main();
`;

const PLUGINS = [{ transform: "@tsukumo/transformer" }];
const OPTIONS = {
  target: "ES2022",
  module: "ESNext",
  moduleResolution: "Bundler",
  strict: true,
  skipLibCheck: true,
  types: ["node"],
  rootDir: "src",
};

let expected = "";

function check(stdout: string): void {
  if (expected === "") expected = stdout;
  expect(stdout).toBe(expected);
  const [definitions, measured, written, refused] = JSON.parse(stdout);
  expect(definitions.map((meta: { name: string }) => meta.name)).toEqual(["measure", "write_line"]);
  expect(definitions[0].inputSchema.properties.unit).toEqual({
    type: "string",
    enum: ["m", "ft"],
    description: "What to measure in",
    default: "m",
  });
  expect([measured, written]).toEqual(["5 m true", "1"]);
  expect(refused).toContain("$input.points[0].y: missing");
}

beforeAll(async () => {
  project = await PackedProject.create("toolchains", {
    "@rspack/core": "2.3.4",
    "@swc/core": "1.16.22",
    "@types/geojson": "7946.0.16",
    "@types/node": "^20.19.0",
    "openapi-types": "12.1.3",
    "type-fest": "5.2.0",
    vitest: "4.1.12",
    bun: "1.4.5",
    esbuild: "0.28.2",
    "esbuild-loader": "4.4.0",
    rolldown: "1.3.3",
    rollup: "4.68.8",
    "rollup-plugin-esbuild": "6.2.1",
    "ts-patch": "3.3.0",
    typescript: "6.0.3",
    "typescript-7": "npm:typescript@7.0.2",
    "typescript-5": "npm:typescript@5.9.3",
    vite: "8.4.0",
    webpack: "5.113.0",
  });
  project.write("src/types.ts", TYPES);
  project.write("src/tools.ts", TOOLS);
  project.write("src/main.ts", MAIN.replace("/* GENERATED */", ""));
  project.write("tsconfig.json", JSON.stringify({ compilerOptions: OPTIONS, include: ["src"] }));
}, 400_000);

describe("bundlers", () => {
  const bundle = async (script: string, out: string): Promise<void> => {
    const name = `build-${out.replaceAll("/", "-")}.mjs`;
    project.write(name, script);
    await project.must(process.execPath, [name]);
    check(await project.must(process.execPath, [out]));
  };

  it("esbuild", () =>
    bundle(
      `import { build } from "esbuild"; import tsukumo from "@tsukumo/unplugin/esbuild";
       await build({ entryPoints: ["src/main.ts"], bundle: true, format: "esm", platform: "node", outfile: "out/esbuild.mjs", plugins: [tsukumo()] });`,
      "out/esbuild.mjs",
    ));

  it("Vite", () =>
    bundle(
      `import { build } from "vite"; import tsukumo from "@tsukumo/unplugin/vite";
       await build({ logLevel: "error", plugins: [tsukumo()], build: { ssr: "src/main.ts", outDir: "out/vite", target: "node20", rolldownOptions: { output: { entryFileNames: "main.mjs" } } } });`,
      "out/vite/main.mjs",
    ));

  it("Rolldown", () =>
    bundle(
      `import { rolldown } from "rolldown"; import tsukumo from "@tsukumo/unplugin/rolldown";
       const made = await rolldown({ input: "src/main.ts", platform: "node", plugins: [tsukumo()] }); await made.write({ file: "out/rolldown.mjs", codeSplitting: false });`,
      "out/rolldown.mjs",
    ));

  it("Rollup", () =>
    bundle(
      `import { rollup } from "rollup"; import esbuild from "rollup-plugin-esbuild"; import tsukumo from "@tsukumo/unplugin/rollup";
       const made = await rollup({ input: "src/main.ts", external: [/^@tsukumo/], plugins: [tsukumo(), esbuild({ target: "es2022" })], onwarn: (w) => { throw new Error(w.message); } }); await made.write({ file: "out/rollup.mjs" });`,
      "out/rollup.mjs",
    ));

  it("webpack", () =>
    bundle(
      `import webpack from "webpack"; import tsukumo from "@tsukumo/unplugin/webpack";
       await new Promise((done, fail) => webpack({ mode: "production", target: "node20", entry: "./src/main.ts", experiments: { outputModule: true }, output: { path: process.cwd() + "/out", filename: "webpack.mjs", module: true },
         resolve: { extensions: [".ts", ".js"] }, module: { rules: [{ test: /\\.ts$/, loader: "esbuild-loader", options: { target: "es2022" } }] }, plugins: [tsukumo()] },
         (error, stats) => (error ?? stats?.hasErrors()) ? fail(error ?? new Error(stats.toString())) : done()));`,
      "out/webpack.mjs",
    ));

  it("Rspack", () =>
    bundle(
      `import { rspack } from "@rspack/core"; import tsukumo from "@tsukumo/unplugin/rspack";
       await new Promise((done, fail) => rspack({ mode: "production", target: "node20", entry: "./src/main.ts", output: { path: process.cwd() + "/out", filename: "rspack.mjs", module: true },
         resolve: { extensions: [".ts", ".js"] }, module: { rules: [{ test: /\\.ts$/, loader: "builtin:swc-loader", options: { jsc: { parser: { syntax: "typescript", decorators: true }, target: "es2022" } } }] }, plugins: [tsukumo()] },
         (error, stats) => (error ?? stats?.hasErrors()) ? fail(error ?? new Error(stats.toString())) : done()));`,
      "out/rspack.mjs",
    ));

  it("Bun", async () => {
    project.write(
      "build-bun.ts",
      `import tsukumo from "@tsukumo/unplugin/bun";
       const { success, logs } = await Bun.build({ entrypoints: ["src/main.ts"], outdir: "out/bun", target: "node", plugins: [tsukumo()] });
       if (!success) throw new Error(String(logs));`,
    );
    await project.must(project.bin("bun"), ["build-bun.ts"]);
    check(await project.must(process.execPath, ["out/bun/main.js"]));
  });

  it("vitest, through the Vite plugin", async () => {
    project.write(
      "vitest.config.ts",
      'import tsukumo from "@tsukumo/unplugin/vite";\nexport default { plugins: [tsukumo()], test: { include: ["src/*.spec.ts"] } };\n',
    );
    project.write(
      "src/tools.spec.ts",
      'import { toolDefinition } from "@tsukumo/tool";\nimport { expect, it } from "vitest";\nimport { measure } from "./tools";\nit("has a definition", () => expect(toolDefinition(measure)()[0].name).toBe("measure"));\n',
    );
    expect(await project.must(project.bin("vitest"), ["run"])).toContain("1 passed");
  });

  it("shows a refusal at its place and fails the build", async () => {
    project.write(
      "bad/main.ts",
      "/** B\n * @tool\n * @param m M */\nexport function bad(m: Map<string, string>): void {}\n",
    );
    project.write(
      "bad.mjs",
      `import { build } from "esbuild"; import tsukumo from "@tsukumo/unplugin/esbuild"; await build({ entryPoints: ["bad/main.ts"], bundle: true, outfile: "out/bad.js", plugins: [tsukumo()] });`,
    );
    const { code, stderr } = await project.run(process.execPath, ["bad.mjs"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("TSK1001");
    expect(stderr).toContain("bad/main.ts:4");
  });
});

describe("tspc", () => {
  it.each<[name: string, options: object, run?: string]>([
    ["ES modules", { module: "NodeNext", moduleResolution: "NodeNext" }],
    ["CommonJS", { module: "CommonJS", moduleResolution: "Node10", ignoreDeprecations: "6.0" }],
    ["incremental", { module: "NodeNext", moduleResolution: "NodeNext", incremental: true }],
    [
      "composite, declaration",
      { module: "NodeNext", moduleResolution: "NodeNext", composite: true, declaration: true, sourceMap: true },
    ],
    [
      "isolatedModules, verbatimModuleSyntax",
      { module: "NodeNext", moduleResolution: "NodeNext", isolatedModules: true, verbatimModuleSyntax: true },
    ],
    [
      "legacy decorators",
      { module: "NodeNext", moduleResolution: "NodeNext", experimentalDecorators: true, emitDecoratorMetadata: true },
    ],
    ["an old target", { module: "NodeNext", moduleResolution: "NodeNext", target: "ES2017" }],
  ])("%s", async (name, options) => {
    const id = name.replace(/\W+/g, "-");
    const commonJs = name === "CommonJS";
    const extension = commonJs ? "" : ".js";
    for (const [file, text] of [
      ["types", TYPES],
      ["tools", TOOLS],
      ["main", MAIN.replace("/* GENERATED */", "")],
    ] as const) {
      project.write(
        `${id}/src/${file}.ts`,
        text.replaceAll('"./types"', `"./types${extension}"`).replaceAll('"./tools"', `"./tools${extension}"`),
      );
    }
    project.write(`${id}/package.json`, JSON.stringify({ type: commonJs ? "commonjs" : "module" }));
    project.write(
      `${id}/tsconfig.json`,
      JSON.stringify({
        compilerOptions: { ...OPTIONS, outDir: "dist", ...options, plugins: PLUGINS },
        include: ["src"],
      }),
    );
    await project.must(project.bin("tspc"), ["-p", id]);
    check(await project.must(process.execPath, ["--no-warnings", `${id}/dist/main.js`]));
    // A second build of an unchanged project leaves the definitions in place.
    await project.must(project.bin("tspc"), ["-p", id]);
    check(await project.must(process.execPath, ["--no-warnings", `${id}/dist/main.js`]));
    if (name.includes("declaration"))
      expect(readFileSync(join(project.folder, id, "dist/tools.d.ts"), "utf8")).not.toContain("__tsukumo");
  });
});

describe("the project that tsukumo init makes", () => {
  beforeAll(() => project.must(project.bin("tsukumo"), ["init", "made"]));

  it.each([
    ["tspc", [["node_modules/.bin/tspc", "-p", "made"]], "made/dist/main.js"],
    [
      "gen and TypeScript 7",
      [
        ["node_modules/.bin/tsukumo", "gen", "made/src/tools"],
        ["node", "node_modules/typescript-7/bin/tsc", "-p", "made", "--outDir", "made/seven"],
      ],
      "made/seven/main.js",
    ],
    [
      "gen and esbuild",
      [
        ["node_modules/.bin/tsukumo", "gen", "made/src/tools"],
        [
          "node_modules/.bin/esbuild",
          "made/src/main.ts",
          "--bundle",
          "--format=esm",
          "--platform=node",
          "--outfile=made/es.mjs",
        ],
      ],
      "made/es.mjs",
    ],
    [
      "gen and Bun",
      [
        ["node_modules/.bin/tsukumo", "gen", "made/src/tools"],
        ["node_modules/.bin/bun", "build", "made/src/main.ts", "--target=node", "--outfile=made/bun.mjs"],
      ],
      "made/bun.mjs",
    ],
    ["the plugin in esbuild", [["node", "made-esbuild.mjs"]], "made/plugin.mjs"],
    ["the plugin in Vite", [["node", "made-vite.mjs"]], "made/vite/main.mjs"],
    ["the plugin in Rolldown", [["node", "made-rolldown.mjs"]], "made/rolldown.mjs"],
  ])("builds and runs with %s", async (name, commands, out) => {
    const generated = name.startsWith("gen");
    const main = readFileSync(join(project.folder, "made/src/main.ts"), "utf8").replace(
      'import "./tools/tools.gen.js";\n',
      "",
    );
    project.write("made/src/main.ts", generated ? `import "./tools/tools.gen.js";\n${main}` : main);
    project.write(
      "made-esbuild.mjs",
      'import { build } from "esbuild"; import tsukumo from "@tsukumo/unplugin/esbuild"; await build({ entryPoints: ["made/src/main.ts"], bundle: true, format: "esm", platform: "node", outfile: "made/plugin.mjs", plugins: [tsukumo()] });',
    );
    project.write(
      "made-vite.mjs",
      'import { build } from "vite"; import tsukumo from "@tsukumo/unplugin/vite"; await build({ logLevel: "error", configFile: false, plugins: [tsukumo()], build: { ssr: "made/src/main.ts", outDir: "made/vite", rolldownOptions: { output: { entryFileNames: "main.mjs" } } } });',
    );
    project.write(
      "made-rolldown.mjs",
      'import { rolldown } from "rolldown"; import tsukumo from "@tsukumo/unplugin/rolldown"; const made = await rolldown({ input: "made/src/main.ts", platform: "node", plugins: [tsukumo()] }); await made.write({ file: "made/rolldown.mjs", codeSplitting: false });',
    );
    for (const [command = "", ...args] of commands)
      await project.must(command === "node" ? process.execPath : join(project.folder, command), args);
    const output = await project.must(process.execPath, ["--no-warnings", out]);
    expect(output).toContain('"name": "currentTime"');
    expect(output).toMatch(/\d{2}:\d{2}:\d{2}/);
  });
});

it("tspc --watch follows an edit", async () => {
  for (const [file, text] of [
    ["types", TYPES],
    ["tools", TOOLS],
  ] as const)
    project.write(`watch/src/${file}.ts`, text.replaceAll('"./types"', '"./types.js"'));
  project.write(
    "watch/tsconfig.json",
    JSON.stringify({
      compilerOptions: {
        ...OPTIONS,
        module: "NodeNext",
        moduleResolution: "NodeNext",
        outDir: "dist",
        plugins: PLUGINS,
      },
      include: ["src"],
    }),
  );
  const child = spawn(project.bin("tspc"), ["-p", "watch", "--watch"], { cwd: project.folder });
  try {
    const emitted = (text: string): Promise<void> =>
      vi.waitFor(() => expect(readFileSync(join(project.folder, "watch/dist/tools.js"), "utf8")).toContain(text), {
        timeout: 30_000,
        interval: 50,
      });
    await emitted("Measures a path.");
    project.write(
      "watch/src/tools.ts",
      TOOLS.replaceAll('"./types"', '"./types.js"').replace("Measures a path.", "Measures a way."),
    );
    await emitted('description: "Measures a way."');
    // The type comes from another file than the tool.
    project.write("watch/src/types.ts", TYPES.replace("y: number;", "y: number;\n  z: number;"));
    await emitted("z: {");
  } finally {
    child.kill();
  }
});

describe("types of public libraries", () => {
  it.each<[name: string, source: string, expected: RegExp]>([
    ["geojson", 'import type { Point } from "geojson";\nexport type T = Point;', /"coordinates"/],
    [
      "geojson, all of it",
      'import type { FeatureCollection } from "geojson";\nexport type T = FeatureCollection;',
      /"FeatureCollection"|TSK\d{4}/,
    ],
    [
      "openapi-types, recursive",
      'import type { OpenAPIV3 } from "openapi-types";\nexport type T = OpenAPIV3.SchemaObject;',
      /\$defs|TSK\d{4}/,
    ],
    [
      "openapi-types, a document",
      'import type { OpenAPIV3_1 } from "openapi-types";\nexport type T = OpenAPIV3_1.Document;',
      /"openapi"|TSK\d{4}/,
    ],
    [
      "type-fest",
      'import type { Merge, RequireAtLeastOne, SetOptional, Simplify } from "type-fest";\nexport type T = Simplify<SetOptional<Merge<{ a: string; b: number }, { b: boolean; c?: string }>, "a">> & RequireAtLeastOne<{ x?: number; y?: number }>;',
      /"properties"/,
    ],
    [
      "type-fest, JSON",
      'import type { JsonValue } from "type-fest";\nexport type T = { value: JsonValue };',
      /"value"|TSK\d{4}/,
    ],
  ])("%s: a schema, or an honest refusal", async (name, source, expected) => {
    const file = `libraries/${name.replace(/\W+/g, "-")}.ts`;
    project.write(file, `${source}\n/** D\n * @tool\n * @param value V */\nexport function take(value: T): void {}\n`);
    const { code, stdout, stderr } = await project.run(project.bin("tsukumo"), ["schema", file]);
    expect(stderr).not.toContain("    at ");
    expect(stdout + stderr).toMatch(expected);
    expect(code === 0 ? JSON.parse(stdout).tools : [1]).toHaveLength(1);
  });
});

describe("generated code", () => {
  const SOURCES = { "src/types.ts": TYPES, "src/tools.ts": TOOLS };

  beforeAll(async () => {
    for (const [name, text] of Object.entries(SOURCES))
      project.write(`gen/${name}`, text.replace('"./types"', '"./types.js"'));
    project.write(
      "gen/src/main.ts",
      MAIN.replace("/* GENERATED */", 'import "./tools.gen.js";').replace('"./tools"', '"./tools.js"'),
    );
    project.write(
      "gen/tsconfig.json",
      JSON.stringify({
        compilerOptions: { ...OPTIONS, module: "NodeNext", moduleResolution: "NodeNext", outDir: "dist" },
        include: ["src"],
      }),
    );
    await project.must(project.bin("tsukumo"), ["gen", "gen/src", "-o", "gen/src/tools.gen.ts"]);
  });

  it.each([
    ["TypeScript 7", "typescript-7"],
    ["TypeScript 6.0", "typescript"],
    ["TypeScript 5.9", "typescript-5"],
  ])("%s", async (_, name) => {
    await project.must(process.execPath, [`node_modules/${name}/bin/tsc`, "-p", "gen", "--outDir", `gen/${name}`]);
    check(await project.must(process.execPath, [`gen/${name}/main.js`]));
  });

  it("Bun, without a plugin", async () => {
    check(await project.must(project.bin("bun"), ["gen/src/main.ts"]));
  });

  it("Node that strips types, from the sources themselves", async () => {
    // What Node cannot erase is left out: the enum and the decorators.
    project.write(
      "strip/src/tools.ts",
      "/** D\n * @tool\n * @param a A */\nexport function add(a: number, b: number = 1): number { return a + b; }\n",
    );
    project.write(
      "strip/src/main.ts",
      'import { ToolRegistry, toolDefinition } from "@tsukumo/tool";\nimport { add } from "./tools.ts";\nimport "./tools.gen.ts";\nconsole.log((await ToolRegistry.of(toolDefinition(add)).dispatch("add", { a: 2 })).content);\n',
    );
    project.write(
      "strip/tsconfig.json",
      JSON.stringify({
        compilerOptions: { ...OPTIONS, noEmit: true, allowImportingTsExtensions: true },
        include: ["src"],
      }),
    );
    await project.must(project.bin("tsukumo"), ["gen", "strip/src"]);
    const run = [
      "-y",
      "-p",
      "node@22.23.3",
      "node",
      "--experimental-strip-types",
      "--no-warnings",
      "strip/src/main.ts",
    ];
    expect(await project.must("npx", run)).toBe("3\n");
  });

  it("esbuild, without a plugin", async () => {
    await project.must(project.bin("esbuild"), [
      "gen/src/main.ts",
      "--bundle",
      "--format=esm",
      "--platform=node",
      "--target=es2022",
      "--outfile=gen/esbuild.mjs",
    ]);
    check(await project.must(process.execPath, ["gen/esbuild.mjs"]));
  });

  it("swc, without a plugin", async () => {
    project.write(
      "gen/swc.mjs",
      `import { transformFile } from "@swc/core"; import { mkdirSync, writeFileSync } from "node:fs"; mkdirSync("gen/swc", { recursive: true });
       for (const name of ["types", "tools", "tools.gen", "main"]) writeFileSync(\`gen/swc/\${name}.js\`, (await transformFile(\`gen/src/\${name}.ts\`, { jsc: { target: "es2022", parser: { syntax: "typescript", decorators: true }, transform: { decoratorVersion: "2022-03" } } })).code);`,
    );
    await project.must(process.execPath, ["gen/swc.mjs"]);
    check(await project.must(process.execPath, ["gen/swc/main.js"]));
  });
});
