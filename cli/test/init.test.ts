/** What `tsukumo init` does to projects that exist, file by file. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type InitPlan, planInit } from "../src/init/plan.js";

const VERSION = "^0.1.0";
const folders: string[] = [];

function project(files: Readonly<Record<string, object | string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "tsukumo-init-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function planned(files: Readonly<Record<string, object | string>>) {
  const folder = project(files);
  const plan = planInit(folder, VERSION);
  const text = (name: string) => plan.files.get(join(folder, name)) ?? readFileSync(join(folder, name), "utf8");
  return {
    plan,
    names: [...plan.files.keys()].map((path) => relative(folder, path)).sort(),
    pkg: JSON.parse(text("package.json")),
    text,
    again: () => {
      write(plan);
      return planInit(folder, VERSION);
    },
  };
}

function write({ files }: InitPlan): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

const SOURCES = { "src/app.ts": "export {};\n" };

it("an empty folder gets a whole project, and the second time nothing", () => {
  const { plan, names, pkg, again } = planned({});
  expect(names).toEqual(["package.json", "src/main.ts", "src/tools/time.ts", "tsconfig.json"]);
  expect(pkg).toMatchObject({ type: "module", scripts: { build: "tspc" }, dependencies: { "@tsukumo/tool": VERSION } });
  expect([plan.todo, plan.next]).toEqual([[], "npm install && npm run build && node dist/main.js"]);
  const second = again();
  expect(second.files.size).toBe(0);
  expect(second.done.every((line) => line.endsWith("already"))).toBe(true);
});

describe("a project that exists", () => {
  it.each([
    ["tsc", "tspc"],
    ["tsc -p tsconfig.json && node copy.mjs", "tspc -p tsconfig.json && node copy.mjs"],
    ["rimraf dist && tsc", "rimraf dist && tspc"],
    ["tspc", "tspc"],
  ])("builds with %j, then with %j", (build, patched) => {
    const { pkg, plan } = planned({ ...SOURCES, "package.json": { scripts: { build, test: "tsc --noEmit" } } });
    expect(pkg.scripts).toEqual({ build: patched, test: "tsc --noEmit" });
    expect(plan).toMatchObject({ todo: [], next: "npm install && npm run build" });
  });

  it.each(["webpack", "tsc-watch", "vue-tsc --noEmit", "./tsc.sh"])(
    "builds with %j: that is left to people",
    (build) => {
      const { pkg, plan } = planned({ ...SOURCES, "package.json": { scripts: { build } } });
      expect(pkg.scripts.build).toBe(build);
      expect(plan.todo).toEqual([expect.stringContaining("runs no tsc")]);
    },
  );

  it("stays what it is: CommonJS or ESM", () => {
    expect(planned({ ...SOURCES, "package.json": { name: "a" } }).pkg.type).toBeUndefined();
    expect(planned({ ...SOURCES, "package.json": { name: "a", type: "commonjs" } }).pkg.type).toBe("commonjs");
  });

  it("keeps the packages that it has, wherever they stand", () => {
    const devDependencies = { "@tsukumo/tool": "file:tool.tgz", typescript: "~5.9.3" };
    const { pkg } = planned({ ...SOURCES, "package.json": { devDependencies } });
    expect(pkg.dependencies).toEqual({});
    expect(pkg.devDependencies).toMatchObject(devDependencies);
  });

  it("with TypeScript 7 generates", () => {
    const { pkg, plan, names, text } = planned({ "package.json": { devDependencies: { typescript: "^7.0.2" } } });
    expect(pkg.scripts).toEqual({ build: "tsukumo gen src/tools && tsc" });
    expect(Object.keys(pkg.devDependencies)).not.toContain("@tsukumo/transformer");
    expect(names).toContain("tsconfig.json");
    expect(text("tsconfig.json")).not.toContain("plugins");
    expect(text("src/main.ts")).toContain("tools.gen.js");
    expect(plan.todo).toEqual([]);
    const kept = planned({
      ...SOURCES,
      "package.json": { scripts: { build: "tsc" }, devDependencies: { typescript: "7" } },
      "tsconfig.json": { compilerOptions: {} },
    });
    expect([kept.pkg.scripts.build, kept.names]).toEqual(["tsc", ["package.json"]]);
    expect(kept.plan.todo).toEqual([expect.stringContaining("tsukumo gen")]);
  });

  it("with an older TypeScript is told to raise it", () => {
    const { plan } = planned({ ...SOURCES, "package.json": { devDependencies: { typescript: "^5.4.2" } } });
    expect(plan.todo).toEqual(["Raise typescript in package.json: 5.9 and 6.0 work, and this is 5.4."]);
  });

  it("with Vite gets the bundler plugin, and no tsconfig plugin", () => {
    const { pkg, plan, names } = planned({
      ...SOURCES,
      "package.json": { scripts: { build: "vite build" }, devDependencies: { vite: "^8" } },
      "vite.config.ts": "export default {};",
      "tsconfig.json": { compilerOptions: {} },
    });
    expect(names).toEqual(["package.json"]);
    expect(pkg.scripts).toEqual({ build: "vite build" });
    expect(Object.keys(pkg.devDependencies).sort()).toEqual(["@tsukumo/unplugin", "tsukumo", "typescript", "vite"]);
    expect(plan.todo).toEqual([expect.stringContaining("tsukumo() first in plugins")]);
    expect(plan.next).toBe("npm install && npm run build");
  });
});

describe("a tsconfig.json", () => {
  const plugin = '"transform":"@tsukumo/transformer"';

  it.each([
    [
      "with options and comments",
      '{\n  // mine\n  "compilerOptions": {\n    "strict": true\n  }\n}\n',
      ["// mine", '"strict": true'],
    ],
    ["with empty options", '{ "compilerOptions": {} }', []],
    ["without options", '{ "extends": "./base.json" }', ['"extends": "./base.json"']],
    ["that is empty", "{}", []],
  ])("%s gets the plugin", (_, given, kept) => {
    const { text } = planned({ ...SOURCES, "package.json": {}, "tsconfig.json": given, "base.json": "{}" });
    const written = text("tsconfig.json");
    expect(written).toContain(plugin);
    for (const part of kept) expect(written).toContain(part);
    const plain = JSON.parse(written.replace(/\/\/.*/g, ""));
    expect(plain.compilerOptions.plugins).toHaveLength(2);
  });

  it.each(['{ "compilerOptions": { "plugins": [] } }', "{ nonsense"])("%s changes nothing at all", (given) => {
    const folder = project({ ...SOURCES, "package.json": {}, "tsconfig.json": given });
    expect(() => planInit(folder, VERSION)).toThrow(/tsconfig\.json cannot be/);
  });
});
