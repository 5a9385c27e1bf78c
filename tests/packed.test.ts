/** The packed tarballs, installed in a project of their own: with `tspc`, and with `tsukumo gen` and plain `tsc`. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PackedProject } from "./packed-project.js";
import { ROOT } from "./run-command.js";

const TOOLS = `import type { ToolContext } from "@tsukumo/tool";

export interface Point { x: number; y: number }

/**
 * Measures a path.
 * @tool
 * @effect read_only
 * @param points The corners
 * @param unit What to measure in
 */
export async function measure(points: Point[], unit: "m" | "km" = "m", ctx?: ToolContext): Promise<{ length: number; unit: string }> {
  let length = 0;
  for (let i = 1; i < points.length; i++) length += Math.hypot(points[i]!.x - points[i - 1]!.x, points[i]!.y - points[i - 1]!.y);
  ctx?.state.set("measured", length);
  return { length: unit === "km" ? length / 1000 : length, unit };
}

export class Diary {
  #lines: string[] = [];
  /** Writes a line.
   * @tool
   * @param line The line
   * @param at When */
  write(line: string, at?: Date): number { return this.#lines.push(at === undefined ? line : \`\${at.getUTCFullYear()} \${line}\`); }
  /** Reads all lines. @tool
   * @effect read_only */
  read(): string[] { return this.#lines; }
}
`;

const MAIN = `import { ToolContext, ToolRegistry, toolDefinition, toolDefinitions } from "@tsukumo/tool";
import { Diary, measure } from "./tools.js";
/* GENERATED */
const registry = ToolRegistry.of(toolDefinition(measure), ...toolDefinitions(new Diary()));
const context = new ToolContext();
const out = [];
out.push(registry.definitions());
out.push((await registry.dispatch("measure", { points: [{ x: 0, y: 0 }, { x: 3, y: 4 }] }, context)).structured);
out.push(context.state.get("measured"));
out.push((await registry.dispatch("write", { line: "hello", at: "2001-01-01T00:00:00Z" })).content);
out.push((await registry.dispatch("read")).content);
out.push(await registry.dispatch("measure", { points: [{ x: "a" }], unit: "mile", extra: 1 }).catch((error) => error.issues.map((issue: { path: string }) => issue.path)));
console.log(JSON.stringify(out));
`;

const OPTIONS = {
  target: "ES2022",
  module: "NodeNext",
  strict: true,
  skipLibCheck: true,
  types: ["node"],
  rootDir: "src",
};

describe.each(["6.0.3", "5.9.3"])("packed, with TypeScript %s", (typescript) => {
  let project: PackedProject;
  afterAll(() => project?.remove());

  beforeAll(async () => {
    project = await PackedProject.create(`packed-${typescript}`, {
      "ts-patch": "3.3.0",
      typescript,
      "@types/node": "^20.19.0",
    });
    project.write("src/tools.ts", TOOLS);
    project.write("src/main.ts", MAIN.replace("/* GENERATED */", ""));
    project.write(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: { ...OPTIONS, outDir: "dist", plugins: [{ transform: "@tsukumo/transformer" }] },
        include: ["src"],
      }),
    );
  }, 240_000);

  let withTspc = "";

  it("works with tspc", async () => {
    await project.must(project.bin("tspc"), ["-p", "."]);
    withTspc = await project.must(process.execPath, ["dist/main.js"]);
    const [definitions, measured, state, written, read, paths] = JSON.parse(withTspc);
    expect(definitions.map((meta: { name: string }) => meta.name)).toEqual(["measure", "read", "write"]);
    expect(measured).toEqual({ length: 5, unit: "m" });
    expect(state).toBe(5);
    expect(written).toBe("1");
    expect(read).toBe('["2001 hello"]');
    expect(paths).toEqual(["$input.points[0].x", "$input.points[0].y", "$input.unit", "$input.extra"]);
  });

  it("works with tsukumo gen and plain tsc, with the same schemas", async () => {
    await project.must(project.bin("tsukumo"), ["gen", "src", "-o", "src/tools.gen.ts"]);
    project.write("src/main.ts", MAIN.replace("/* GENERATED */", 'import "./tools.gen.js";'));
    project.write(
      "tsconfig.plain.json",
      JSON.stringify({ compilerOptions: { ...OPTIONS, outDir: "plain" }, include: ["src"] }),
    );
    await project.must(project.bin("tsc"), ["-p", "tsconfig.plain.json"]);
    expect(await project.must(process.execPath, ["plain/main.js"])).toBe(withTspc);
  });

  it("says what to do where nothing was transformed", async () => {
    project.write("src/main.ts", MAIN.replace("/* GENERATED */", ""));
    await project.must(project.bin("tsc"), ["-p", "tsconfig.plain.json"]);
    const { code, stderr } = await project.run(process.execPath, ["plain/main.js"]);
    expect(code).toBe(1);
    expect(stderr).toContain("TSUKUMO_NOT_TRANSFORMED");
    for (const way of ["tspc", "tsukumo gen", "@tsukumo/unplugin"]) expect(stderr).toContain(way);
  });

  it("fails the build at the node of a type that JSON cannot carry", async () => {
    project.write(
      "bad/bad.ts",
      "/** B\n * @tool\n * @param m M */\nexport function bad(m: Map<string, string>): void {}\n",
    );
    project.write(
      "tsconfig.bad.json",
      JSON.stringify({
        compilerOptions: {
          ...OPTIONS,
          rootDir: "bad",
          outDir: "bad-out",
          plugins: [{ transform: "@tsukumo/transformer" }],
        },
        include: ["bad"],
      }),
    );
    const { code, stdout } = await project.run(project.bin("tspc"), ["-p", "tsconfig.bad.json"]);
    expect(code).not.toBe(0);
    expect(stdout).toContain("bad/bad.ts(4,24): error");
    expect(stdout).toContain("TSK1001");
  });

  it("sets an empty folder up with init", async () => {
    mkdirSync(join(project.folder, "fresh"));
    await project.must(project.bin("tsukumo"), ["init", "fresh"]);
    expect(existsSync(join(project.folder, "fresh/src/tools/time.ts"))).toBe(true);
    // The parent's node_modules hold what the new package.json names.
    await project.must(project.bin("tspc"), ["-p", "fresh"]);
    expect(await project.must(process.execPath, ["fresh/dist/main.js"])).toContain("currentTime");
    await project.must(project.bin("tsukumo"), ["init", "fresh"]);
  });

  it.each(["commonjs", "module"])("adds itself to a project that npm init made, with type %s", async (type) => {
    const folder = `existing-${type}`;
    project.write(`${folder}/package.json`, JSON.stringify({ name: "existing", version: "1.0.0", type }));
    await project.must(project.bin("tsukumo"), ["init", folder]);
    await project.must(project.bin("tspc"), ["-p", folder]);
    expect(await project.must(process.execPath, ["--no-warnings", `${folder}/dist/main.js`])).toContain("currentTime");
  });

  it("has no typescript and no typia in the runtime packages", () => {
    for (const folder of ["packages/tool", "packages/client", "packages/worker"]) {
      const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
      expect(
        Object.keys(dependencies).filter((name) => !name.startsWith("@tsukumo/") && name !== "fetch-event-stream"),
      ).toEqual([]);
    }
  });
});
