/** The packed tarballs, installed in a project of their own: with `tspc`, and with `tsukumo gen` and plain `tsc`. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT, run } from "./run-command.js";

const PACKAGES = ["packages/tool", "packages/client", "packages/worker", "transformer", "cli"];
const project = mkdtempSync(join(tmpdir(), "tsukumo-packed-"));
afterAll(() => rmSync(project, { recursive: true, force: true }));

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

function write(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

async function must(command: string, args: readonly string[], cwd = project): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, { cwd });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

const bin = (name: string): string => join(project, "node_modules", ".bin", name);

beforeAll(async () => {
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const tarballs: Record<string, string> = {};
  for (const folder of PACKAGES) {
    await must("npx", ["-y", packageManager, "pack", "--pack-destination", project], join(ROOT, folder));
    const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    tarballs[name] = `file:./${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
  }
  const dependencies = { ...tarballs, "ts-patch": "3.3.0", typescript: "6.0.3", "@types/node": "^20.19.0" };
  write(
    "package.json",
    JSON.stringify({ name: "packed", private: true, type: "module", dependencies, overrides: tarballs }),
  );
  write("src/tools.ts", TOOLS);
  write("src/main.ts", MAIN.replace("/* GENERATED */", ""));
  write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: { ...OPTIONS, outDir: "dist", plugins: [{ transform: "@tsukumo/transformer" }] },
      include: ["src"],
    }),
  );
  await must("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"]);
}, 240_000);

describe("packed", () => {
  let withTspc = "";

  it("works with tspc", async () => {
    await must(bin("tspc"), ["-p", "."]);
    withTspc = await must(process.execPath, ["dist/main.js"]);
    const [definitions, measured, state, written, read, paths] = JSON.parse(withTspc);
    expect(definitions.map((meta: { name: string }) => meta.name)).toEqual(["measure", "read", "write"]);
    expect(measured).toEqual({ length: 5, unit: "m" });
    expect(state).toBe(5);
    expect(written).toBe("1");
    expect(read).toBe('["2001 hello"]');
    expect(paths).toEqual(["$input.points[0].x", "$input.points[0].y", "$input.unit", "$input.extra"]);
  });

  it("works with tsukumo gen and plain tsc, with the same schemas", async () => {
    await must(bin("tsukumo"), ["gen", "src", "-o", "src/tools.gen.ts"]);
    write("src/main.ts", MAIN.replace("/* GENERATED */", 'import "./tools.gen.js";'));
    write(
      "tsconfig.plain.json",
      JSON.stringify({ compilerOptions: { ...OPTIONS, outDir: "plain" }, include: ["src"] }),
    );
    await must(bin("tsc"), ["-p", "tsconfig.plain.json"]);
    expect(await must(process.execPath, ["plain/main.js"])).toBe(withTspc);
  });

  it("says what to do where nothing was transformed", async () => {
    write("src/main.ts", MAIN.replace("/* GENERATED */", ""));
    await must(bin("tsc"), ["-p", "tsconfig.plain.json"]);
    const { code, stderr } = await run(process.execPath, ["plain/main.js"], { cwd: project });
    expect(code).toBe(1);
    expect(stderr).toContain("TSUKUMO_NOT_TRANSFORMED");
    for (const way of ["tspc", "tsukumo gen", "@tsukumo/unplugin"]) expect(stderr).toContain(way);
  });

  it("fails the build at the node of a type that JSON cannot carry", async () => {
    write("bad/bad.ts", "/** B\n * @tool\n * @param m M */\nexport function bad(m: Map<string, string>): void {}\n");
    write(
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
    const { code, stdout } = await run(bin("tspc"), ["-p", "tsconfig.bad.json"], { cwd: project });
    expect(code).not.toBe(0);
    expect(stdout).toContain("bad/bad.ts(4,24): error");
    expect(stdout).toContain("TSK1001");
  });

  it("sets an empty folder up with init", async () => {
    mkdirSync(join(project, "fresh"));
    await must(bin("tsukumo"), ["init", "fresh"]);
    expect(existsSync(join(project, "fresh/src/tools/time.ts"))).toBe(true);
    // The parent's node_modules hold what the new package.json names.
    await must(bin("tspc"), ["-p", "fresh"]);
    expect(await must(process.execPath, ["fresh/dist/main.js"])).toContain("currentTime");
    await must(bin("tsukumo"), ["init", "fresh"]);
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
