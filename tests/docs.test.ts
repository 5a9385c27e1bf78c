/** Every code block of the documentation: compiled against the packages in one program, and run where it says so. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { toolDefinition } from "@tsukumo/tool";
import { beforeAll, describe, expect, it } from "vitest";
import { type Module, readPage, readPages } from "./docs-blocks.js";
import { ROOT, run, tsukumo } from "./run-command.js";

const FOLDER = join(ROOT, "docs/.blocks");
const pages = readPages();
const modules = pages.flatMap((page) => page.modules);
const fences = pages.flatMap(({ path, fences }) => fences.map((fence) => ({ path, ...fence })));

const TSCONFIG = {
  compilerOptions: {
    target: "ES2022",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    lib: ["ES2023", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    rootDir: "src",
    outDir: "out",
    plugins: [{ transform: "@tsukumo/transformer" }],
  },
  include: ["src"],
};

/** The compiler's errors, told with the page's own lines. */
async function compile(all: readonly Module[], folder: string): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write("tsconfig.json", JSON.stringify(TSCONFIG));
  write("package.json", '{ "type": "module" }');
  for (const module of all) write(`src/${module.folder}/${module.name}`, module.text);
  const tspc = join(ROOT, "node_modules/ts-patch/bin/tspc.js");
  const { code, stdout } = await run(process.execPath, [tspc, "-p", folder, "--pretty", "false"], { cwd: folder });
  const errors = stdout.split("\n").flatMap((line) => {
    const parts = /^src\/([^/]+)\/(.+?)\((\d+),\d+\): error (.*)$/.exec(line);
    if (parts === null) return line.includes("error") ? [line] : [];
    const module = all.find((other) => other.folder === parts[1] && other.name === parts[2]);
    return [`${module?.page}:${module?.lines[Number(parts[3]) - 1]} ${parts[4]}`];
  });
  return code === 0 || errors.length > 0 ? errors : [`tspc exited with ${code}: ${stdout}`];
}

describe("ts blocks", () => {
  let errors: string[] = [];
  beforeAll(async () => {
    errors = await compile(modules, FOLDER);
  }, 120_000);

  it("compile", () => {
    expect(modules.length).toBeGreaterThan(10);
    expect(errors).toEqual([]);
  });

  const programs = modules.filter((module) => module.run);

  it.concurrent.each(programs.map((module) => [`${module.page}:${module.lines.at(-1)}`, module] as const))(
    "%s runs and prints what it says",
    async (_, module) => {
      const file = join(FOLDER, "out", module.folder, module.name.replace(/\.ts$/, ".js"));
      const { code, stdout, stderr } = await run(process.execPath, [file], { cwd: FOLDER });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      if (module.output !== undefined) expect(stdout.trimEnd()).toBe(module.output.trimEnd());
    },
  );
});

describe("a wrong block", () => {
  const page = (...blocks: string[]): string => blocks.join("\n\n");
  const FENCE = "```";

  it("is told with the page's line", async () => {
    const wrong = readPage(
      "docs/wrong.md",
      page(
        "# Wrong",
        `${FENCE}ts\n// tools.ts\n/** A\n * @tool\n * @param a A */\nexport function a(a: Map<string, string>): void {}\n${FENCE}`,
        `${FENCE}ts run\nimport { a } from "./tools.js";\nconst n: number = "1";\na(new Map());\n${FENCE}`,
        `${FENCE}ts continue\nconsole.log(missing);\n${FENCE}`,
      ),
    );
    const folder = join(ROOT, "docs/.blocks-wrong");
    try {
      const errors = await compile(wrong.modules, folder);
      expect(errors).toEqual(
        ["docs/wrong.md:13 TS2322", "docs/wrong.md:18 TS2304", "docs/wrong.md:8 TS1001: TSK1001"].map((text) =>
          expect.stringContaining(text),
        ),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);

  it("is not passed over without a reason", () => {
    expect(() => readPage("docs/wrong.md", `${FENCE}ts no-check\nx\n${FENCE}`)).toThrow("docs/wrong.md:2: say why");
    expect(() => readPage("docs/wrong.md", `${FENCE}ts\nx\n`)).toThrow("has no end");
  });
});

describe("other blocks", () => {
  it("of JSON are JSON", () => {
    for (const { path, info, code, line } of fences) {
      if (info.split(" ")[0] === "json") expect(() => JSON.parse(code), `${path}:${line}`).not.toThrow();
    }
  });

  it("of the shell name commands and scripts that exist", async () => {
    const scripts = new Set(Object.keys(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts));
    const known = new Set(["npm", "npx", "node", "bun", "deno", "mkdir", "cd", "pnpm", "tsukumo", "curl", "export"]);
    const usage = /USAGE tsukumo (\S+)/.exec((await tsukumo(["--help"])).stdout)?.[1] ?? "";
    const commands = new Set(usage.split("|"));
    for (const { path, info, code, line } of fences) {
      if (info !== "sh" || path.startsWith("docs/start/")) continue;
      for (const command of code.replaceAll("\\\n", " ").split(/\n|&&|\|/)) {
        const words = command.replace(/#.*$/, "").trim().split(/\s+/);
        if (words[0] === "" || words[0] === undefined) continue;
        const program = /^[A-Z_]+=/.test(words[0]) ? (words[1] ?? "") : words[0];
        expect(known, `${path}:${line}: ${command}`).toContain(program);
        const at = words.indexOf("tsukumo");
        const next = words[at + 1];
        const runsTsukumo = at === 0 || (at > 0 && words[at - 1] === "npx");
        if (runsTsukumo && next !== undefined && /^[a-z]+$/.test(next))
          expect(commands, `${path}:${line}: ${command}`).toContain(next);
        if (program === "npm" && words[1] === "run" && words[2] !== undefined)
          expect(scripts, `${path}:${line}: ${command}`).toContain(words[2]);
        if (words.slice(0, 3).join(" ") === "npm run example")
          expect(existsSync(join(ROOT, "examples", words[3] ?? "none")), `${path}:${line}: ${command}`).toBe(true);
      }
    }
  });
});

describe("the README", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const block = (language: string): string =>
    fences.find(({ path, info }) => path === "README.md" && info === language)?.code ?? "";

  it("shows what the compiler wrote", async () => {
    const file = join(FOLDER, "out/README/weather.js");
    const emitted = readFileSync(file, "utf8");
    const shown = block("js").replaceAll(/\s/g, "").split("meta:{…}");
    expect(shown).toHaveLength(2);
    const rest = emitted.slice(emitted.indexOf("__tsukumo.attach")).replaceAll(/\s/g, "");
    expect(rest.startsWith(`${shown[0]}meta:{`)).toBe(true);
    expect(rest.endsWith(shown[1] ?? "")).toBe(true);

    const { getWeather } = await import(pathToFileURL(file).href);
    expect(JSON.parse(block("json"))).toEqual(JSON.parse(JSON.stringify(toolDefinition(getWeather)()[0])));
  });

  it("tells numbers that the benchmarks' page has", () => {
    const page = readFileSync(join(ROOT, "docs/benchmarks.md"), "utf8");
    const rows = readme.split("\n").filter((line) => /\| `npm run bench:\w+` +\|$/.test(line));
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const [, , ours = "", theirs = ""] = row.split("|");
      const numbers = `${ours} ${theirs}`.match(/(?<![\w.,])\d[\d.,]*\d|(?<![\w.,])\d(?![\w.,])/g) ?? [];
      for (const number of numbers)
        expect(page, row).toMatch(new RegExp(`(?<![\\w.,])${number.replaceAll(".", "\\.")}(?![\\w,])`));
    }
  });
});
