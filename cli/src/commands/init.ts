import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ts } from "@tsukumo/transformer/compiler";
import { defineCommand } from "citty";
import { CliError } from "../failure.js";

const PLUGIN = { transform: "@tsukumo/transformer" };
/** The first builds, the second shows what the build will say while you type. */
const PLUGINS = [PLUGIN, { name: "@tsukumo/transformer/language-service" }];

const EXAMPLE = `/**
 * Tells the time in a place.
 * @tool
 * @effect read_only
 * @param timeZone An IANA time zone, e.g. "Asia/Tokyo"
 */
export function currentTime(timeZone = "UTC"): string {
  return new Date().toLocaleString("en-GB", { timeZone });
}
`;

const MAIN = `import { ToolRegistry, toolDefinitions } from "@tsukumo/tool";
import * as time from "./tools/time.js";

const registry = ToolRegistry.of(...toolDefinitions(time));
console.log(JSON.stringify(registry.definitions(), null, 2));
registry.dispatch("currentTime", { timeZone: "Asia/Tokyo" }).then((output) => console.log(output.content));
`;

const TSCONFIG = {
  compilerOptions: {
    target: "ES2022",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    strict: true,
    skipLibCheck: true,
    rootDir: "src",
    outDir: "dist",
    plugins: PLUGINS,
  },
  include: ["src"],
};

export const init = defineCommand({
  meta: { name: "init", description: "Set a project up: tsconfig plugin, scripts, an example tool" },
  args: { path: { type: "positional", required: false, description: "The project's folder; default the current one" } },
  run({ args }) {
    const folder = args.path ?? ".";
    mkdirSync(folder, { recursive: true });
    const done = [setPackage(folder), setTsconfig(folder), ...setExample(folder)].filter((line) => line !== "");
    process.stdout.write(`${done.join("\n")}\nNext: npm install && npm run build && node dist/main.js\n`);
  },
});

function setPackage(folder: string): string {
  const path = join(folder, "package.json");
  const existing = existsSync(path);
  const pkg: Record<string, unknown> = existing ? readJson(path) : { private: true };
  pkg.type ??= "module";
  pkg.scripts = { build: "tspc", "tools:gen": "tsukumo gen src/tools", ...record(pkg.scripts) };
  pkg.dependencies = { "@tsukumo/tool": VERSION, ...record(pkg.dependencies) };
  pkg.devDependencies = {
    "@tsukumo/transformer": VERSION,
    "@types/node": "^20.19.0",
    "ts-patch": "3.3.0",
    tsukumo: VERSION,
    typescript: "6.0.3",
    ...record(pkg.devDependencies),
  };
  writeFileSync(path, `${JSON.stringify(pkg, undefined, 2)}\n`);
  return `${shown(path)}: ${existing ? "scripts and dependencies added" : "written"}`;
}

function setTsconfig(folder: string): string {
  const path = join(folder, "tsconfig.json");
  if (!existsSync(path)) {
    writeFileSync(path, `${JSON.stringify(TSCONFIG, undefined, 2)}\n`);
    return `${shown(path)}: written`;
  }
  const text = readFileSync(path, "utf8");
  if (text.includes(PLUGIN.transform)) return `${shown(path)}: has the plugin already`;
  const parsed = ts.parseConfigFileTextToJson(path, text);
  if (parsed.error !== undefined)
    throw new CliError(`${path} cannot be read: ${ts.flattenDiagnosticMessageText(parsed.error.messageText, "\n")}`);
  // Comments would be lost by printing the whole file again, so the plugin is put in where compilerOptions opens.
  const opening = /"compilerOptions"\s*:\s*\{/.exec(text);
  if (opening === null || record(parsed.config.compilerOptions).plugins !== undefined) {
    throw new CliError(
      `Add ${JSON.stringify(PLUGIN)} to compilerOptions.plugins in ${path}; this file cannot be edited safely.`,
    );
  }
  const at = opening.index + opening[0].length;
  const isEmpty = /^\s*\}/.test(text.slice(at));
  writeFileSync(
    path,
    `${text.slice(0, at)}\n    "plugins": ${JSON.stringify(PLUGINS)}${isEmpty ? "\n  " : ","}${text.slice(at)}`,
  );
  return `${shown(path)}: plugin added`;
}

/** Only in a project that has no sources yet. */
function setExample(folder: string): string[] {
  if (existsSync(join(folder, "src"))) return [];
  mkdirSync(join(folder, "src", "tools"), { recursive: true });
  const files = { "src/tools/time.ts": EXAMPLE, "src/main.ts": MAIN };
  return Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return `${shown(join(folder, name))}: written`;
  });
}

function readJson(path: string): Record<string, unknown> {
  try {
    return record(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw new CliError(`${path} is not valid JSON. Correct it and run \`tsukumo init\` again.`, { cause });
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function shown(path: string): string {
  return relative(process.cwd(), path) || path;
}

const VERSION = `^${record(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))).version}`;
