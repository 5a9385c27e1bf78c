/** What `tsukumo init` would write, and what it leaves to people: made as a whole before a file changes. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ts } from "@tsukumo/transformer/compiler";
import { CliError } from "../failure.js";
import { mainFile, PLUGINS, TOOL, tsconfigFile } from "./example.js";
import { dependencyOf, type Json, record, type Toolchain, toolchainOf, typescriptProblem } from "./toolchain.js";

export interface InitPlan {
  /** Path and text. */
  readonly files: ReadonlyMap<string, string>;
  readonly done: readonly string[];
  readonly todo: readonly string[];
  /** The command that comes next. */
  readonly next: string;
}

/** @param version the range of tsukumo's packages @throws {CliError} for a file that cannot be read */
export function planInit(folder: string, version: string): InitPlan {
  const path = join(folder, "package.json");
  const existing = existsSync(path) ? readJson(path) : undefined;
  const toolchain = toolchainOf(folder, existing ?? {});
  const plan = { files: new Map<string, string>(), done: [] as string[], todo: [] as string[] };
  const write = (file: string, text: string, what: string): void => {
    plan.files.set(file, text);
    plan.done.push(`${shown(file)}: ${what}`);
  };

  const pkg = withDependencies(
    withScripts(existing ?? { private: true, type: "module" }, toolchain),
    toolchain,
    version,
  );
  const text = `${JSON.stringify(pkg.value, undefined, 2)}\n`;
  if (existing === undefined) write(path, text, "written");
  else if (pkg.changes.length > 0) write(path, text, pkg.changes.join(", "));
  else plan.done.push(`${shown(path)}: has everything already`);

  planTsconfig(folder, toolchain, write, plan.done);
  const hasMain = planExample(folder, toolchain, write);
  plan.todo.push(...todos(folder, pkg.value, toolchain));
  const build = record(pkg.value.scripts).build === undefined ? "" : " && npm run build";
  return { ...plan, next: `npm install${build}${hasMain ? " && node dist/main.js" : ""}` };
}

interface Changed {
  readonly value: Json;
  readonly changes: readonly string[];
}

const BUILD: Readonly<Record<Toolchain, string | undefined>> = {
  tspc: "tspc",
  gen: "tsukumo gen src/tools && tsc",
  vite: undefined,
};

function withScripts(pkg: Json, toolchain: Toolchain): Changed {
  const scripts = record(pkg.scripts);
  const { build } = scripts;
  const wanted = BUILD[toolchain];
  if (build === undefined) {
    if (wanted === undefined) return { value: pkg, changes: [] };
    return { value: { ...pkg, scripts: { build: wanted, ...scripts } }, changes: ["script build added"] };
  }
  // `tspc` takes what `tsc` takes.
  const patched =
    typeof build === "string" && toolchain === "tspc" ? build.replace(/(?<![\w./-])tsc(?![\w./-])/g, "tspc") : build;
  if (patched === build) return { value: pkg, changes: [] };
  return {
    value: { ...pkg, scripts: { ...scripts, build: patched } },
    changes: ["tsc in the script build is tspc now"],
  };
}

const DEV_DEPENDENCIES: Readonly<Record<Toolchain, Readonly<Record<string, string>>>> = {
  tspc: {
    "@tsukumo/transformer": "",
    "@types/node": "^20.19.0",
    "ts-patch": "3.3.0",
    tsukumo: "",
    typescript: "6.0.3",
  },
  gen: { "@types/node": "^20.19.0", tsukumo: "" },
  vite: { "@tsukumo/unplugin": "", tsukumo: "", typescript: "6.0.3" },
};

function withDependencies({ value, changes }: Changed, toolchain: Toolchain, version: string): Changed {
  const missing = (wanted: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(wanted)
        .filter(([name]) => dependencyOf(value, name) === undefined)
        .map(([name, range]) => [name, range === "" ? version : range]),
    );
  const runtime = missing({ "@tsukumo/tool": "" });
  const development = missing(DEV_DEPENDENCIES[toolchain]);
  const added = [...Object.keys(runtime), ...Object.keys(development)];
  if (added.length === 0) return { value, changes };
  return {
    value: {
      ...value,
      dependencies: { ...runtime, ...record(value.dependencies) },
      devDependencies: { ...development, ...record(value.devDependencies) },
    },
    changes: [...changes, `${added.join(", ")} added`],
  };
}

type Write = (file: string, text: string, what: string) => void;

function planTsconfig(folder: string, toolchain: Toolchain, write: Write, done: string[]): void {
  const path = join(folder, "tsconfig.json");
  if (!existsSync(path)) return write(path, `${JSON.stringify(tsconfigFile(toolchain), undefined, 2)}\n`, "written");
  if (toolchain !== "tspc") return;
  const text = readFileSync(path, "utf8");
  if (text.includes("@tsukumo/transformer")) {
    done.push(`${shown(path)}: has the plugin already`);
    return;
  }
  const parsed = ts.parseConfigFileTextToJson(path, text);
  if (parsed.error !== undefined)
    throw new CliError(`${path} cannot be read: ${ts.flattenDiagnosticMessageText(parsed.error.messageText, "\n")}`);
  const { compilerOptions } = record(parsed.config);
  // Comments would be lost by printing the whole file again, so the plugin is put in where its list would stand.
  const opening = (compilerOptions === undefined ? /\{/ : /"compilerOptions"\s*:\s*\{/).exec(text);
  if (opening === null || record(compilerOptions).plugins !== undefined) {
    throw new CliError(
      `Nothing was changed: ${path} cannot be edited safely. Add ${PLUGINS.map((plugin) => JSON.stringify(plugin)).join(" and ")} to compilerOptions.plugins and run \`tsukumo init\` again.`,
    );
  }
  const at = opening.index + opening[0].length;
  const list = `"plugins": ${JSON.stringify(PLUGINS)}`;
  const added = compilerOptions === undefined ? `\n  "compilerOptions": {\n    ${list}\n  }` : `\n    ${list}`;
  const end = /^\s*\}/.test(text.slice(at)) ? (compilerOptions === undefined ? "\n" : "\n  ") : ",";
  write(path, text.slice(0, at) + added + end + text.slice(at), "plugin added");
}

/** Only in a project that has no sources yet. True where the example is a whole program. */
function planExample(folder: string, toolchain: Toolchain, write: Write): boolean {
  if (existsSync(join(folder, "src"))) return false;
  write(join(folder, "src/tools/time.ts"), TOOL, "written");
  if (toolchain === "vite") return false;
  write(join(folder, "src/main.ts"), mainFile(toolchain === "gen"), "written");
  return true;
}

function todos(folder: string, pkg: Json, toolchain: Toolchain): string[] {
  const { build } = record(pkg.scripts);
  const script = typeof build === "string" ? build : "";
  const problem = typescriptProblem(pkg, toolchain);
  const list = problem === undefined ? [] : [problem];
  if (toolchain === "vite" && !mentions(folder, "@tsukumo/unplugin"))
    list.push(
      'Add the plugin to the Vite config: import tsukumo from "@tsukumo/unplugin/vite", and tsukumo() first in plugins.',
    );
  if (toolchain === "tspc" && !/\btspc\b/.test(script))
    list.push(
      `The script build (${JSON.stringify(script)}) runs no tsc. Let it run tspc, or give your bundler its plugin: docs/start/esbuild.md.`,
    );
  if (toolchain === "gen" && !script.includes("tsukumo gen"))
    list.push("Let the script build begin with `tsukumo gen <the folder of your tools> &&`.");
  return list;
}

/** Whether the Vite config knows the plugin. */
function mentions(folder: string, name: string): boolean {
  return ["ts", "mts", "cts", "js", "mjs", "cjs"].some((end) => {
    const path = join(folder, `vite.config.${end}`);
    return existsSync(path) && readFileSync(path, "utf8").includes(name);
  });
}

function readJson(path: string): Json {
  try {
    return record(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw new CliError(`${path} is not valid JSON. Correct it and run \`tsukumo init\` again.`, { cause });
  }
}

function shown(path: string): string {
  return relative(process.cwd(), path) || path;
}
