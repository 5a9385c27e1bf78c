/**
 * Writes docs/authoring/*.md: the pages of docs/fixtures/pages, with each fixture's source beside what the compiler makes
 * of it. With `--check` it writes nothing and fails where a page is not up to date.
 *
 * - `<!-- fixture types/records -->` shows the file and the schemas of its tools; `show=meta` all that a model and a
 *   client see, `show=output` the output schemas, `show=none` the source alone.
 * - `<!-- call types/dates moveMeeting {"at":"…"} -->` runs the tool and shows what the model would read.
 * - `<!-- file tags/files.response.tmpl.md -->` shows a file as it is.
 * - `<!-- refusals -->` is a table of what is in docs/fixtures/refused.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const fixtures = join(root, "docs/fixtures");
const built = join(root, "docs/.built/fixtures");
const WIDTH = 76;

const { ToolContext, ToolRegistry, promptDefinitions, resourceDefinitions, toolDefinitions } = await import(
  pathToFileURL(join(root, "packages/tool/dist/index.js")).href
);

const diagnostics = compile();
const used = new Set();
const stale = [];
for (const name of readdirSync(join(fixtures, "pages")).sort()) {
  const target = join(root, "docs/authoring", name);
  const text = await page(readFileSync(join(fixtures, "pages", name), "utf8"), name);
  if (existsSync(target) && readFileSync(target, "utf8") === text) continue;
  if (argv.includes("--check")) stale.push(`docs/authoring/${name}`);
  else {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
const unused = fixtureNames().filter((name) => !used.has(name) && !name.startsWith("refused/"));
if (unused.length > 0) fail(`No page shows ${unused.join(", ")}.`);
if (stale.length > 0) fail(`Not up to date: ${stale.join(", ")}. Run \`npm run docs:gen\`.`);

/** Builds every fixture; gives what the compiler told, by fixture. */
function compile() {
  rmSync(built, { recursive: true, force: true });
  const args = [join(root, "node_modules/ts-patch/bin/tspc.js"), "-p", fixtures, "--pretty", "false"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: fixtures, encoding: "utf8" });
  const told = new Map();
  for (const line of stdout.split("\n")) {
    const parts = /^(.+?)\.ts\((\d+),\d+\): (error|warning) TS\d+: (?:(TSK\d+): )?(.*)$/.exec(line);
    if (parts === null) continue;
    const [, name, at, severity, code, message] = parts;
    if (severity === "error" && !name.startsWith("refused/")) fail(`docs/fixtures/${line}`);
    if (code !== undefined) told.set(name, [...(told.get(name) ?? []), { at, severity, code, message }]);
  }
  return told;
}

async function page(template, name) {
  const note = `<!-- Generated from docs/fixtures by scripts/docs-authoring.mjs: edit docs/fixtures/pages/${name}. -->`;
  const lines = [note, ""];
  let calls = [];
  for (const line of template.split("\n")) {
    const call = /^<!-- call (\S+) (\S+) (.*) -->$/.exec(line);
    if (call !== null) {
      calls.push(`${call[2]}(${call[3]})`, await callTool(call[1], call[2], call[3]), "");
      continue;
    }
    if (calls.length > 0) {
      lines.push("```text", ...calls.slice(0, -1), "```");
      calls = [];
    }
    const shown = /^<!-- fixture (\S+)(?: show=(\w+))? -->$/.exec(line);
    if (shown !== null) lines.push(...(await fixture(shown[1], shown[2] ?? "input")));
    else if (/^<!-- file \S+ -->$/.test(line))
      lines.push("```md", readFileSync(join(fixtures, line.split(" ")[2]), "utf8").trimEnd(), "```");
    else if (line === "<!-- refusals -->") lines.push(...refusals());
    else lines.push(line);
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

async function fixture(name, show) {
  used.add(name);
  const source = readFileSync(join(fixtures, `${name}.ts`), "utf8").trimEnd();
  const code = ["```ts", source, "```"];
  const told = (diagnostics.get(name) ?? []).map(({ code, severity, message }) => `${severity} ${code}: ${message}`);
  const notes = told.length === 0 ? [] : ["", "```text", ...told, "```"];
  if (show === "none") return [...code, ...notes];
  const result = (await metasOf(name)).map((meta) => compact(pick(meta, show)));
  return ['<div class="pair">', "", ...code, "", "```json", result.join("\n"), "```", "", "</div>", ...notes];
}

function pick(meta, show) {
  if (show === "output") return meta.outputSchema ?? fail(`${meta.name} has no output schema.`);
  return show === "input" ? meta.inputSchema : meta;
}

async function load(name) {
  return import(pathToFileURL(join(built, `${name}.js`)).href);
}

async function toolsOf(name) {
  const module = await load(name);
  const instances = Object.values(module).flatMap((value) => (isClass(value) ? [new value(1, "JPY")] : []));
  return [module, ...instances].flatMap((source) => {
    try {
      return toolDefinitions(source);
    } catch (error) {
      if (error.code === "TSUKUMO_NOT_TRANSFORMED") return [];
      throw error;
    }
  });
}

async function metasOf(name) {
  const module = await load(name);
  const definitions = [...(await toolsOf(name)), ...promptDefinitions(module), ...resourceDefinitions(module)];
  const metas = definitions.map((definition) => definition()[0]);
  if (metas.length === 0) fail(`docs/fixtures/${name}.ts defines nothing.`);
  return metas;
}

function isClass(value) {
  return typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
}

/** What the model would read. */
async function callTool(name, tool, json) {
  used.add(name);
  const registry = ToolRegistry.of(...(await toolsOf(name)));
  try {
    const { content } = await registry.dispatch(tool, json, new ToolContext());
    return content.replace(/^/gm, "→ ");
  } catch (error) {
    if (error.code === undefined) throw error;
    return `${error.code}: ${error.message}`.replace(/^/gm, "✗ ");
  }
}

function refusals() {
  const rows = fixtureNames().filter((name) => name.startsWith("refused/"));
  const table = rows.map((name) => {
    const [told] = (diagnostics.get(name) ?? []).filter(({ severity }) => severity === "error");
    if (told === undefined) fail(`docs/fixtures/${name}.ts is not refused.`);
    const source = readFileSync(join(fixtures, `${name}.ts`), "utf8");
    const written = /refused(<T>)?\(value: (.*?)\): void \{/.exec(source);
    const label = name.endsWith("overloads")
      ? "two signatures"
      : `\`${written?.[1] ?? ""}${written?.[1] ? "(value: T)" : written?.[2]}\``;
    return `| ${label.replaceAll("|", "\\|")} | ${told.code} | ${told.message.replaceAll("|", "\\|")} |`;
  });
  return ["| written | code | what the compiler says |", "| --- | --- | --- |", ...table];
}

function fixtureNames() {
  return readdirSync(fixtures, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "pages")
    .flatMap(({ name }) =>
      readdirSync(join(fixtures, name))
        .filter((file) => file.endsWith(".ts"))
        .map((file) => `${name}/${file.replace(/\.ts$/, "")}`),
    )
    .sort();
}

/** JSON with everything on one line that fits on one. */
function compact(value, indent = "", used = 0) {
  const line = JSON.stringify(value, undefined, 1).replace(/\n\s*/g, " ");
  const flat = line
    .replace(/([[{]) | ([\]}])/g, (_, open, close) => open ?? close)
    .replace(/\{(?!\})/g, "{ ")
    .replace(/(?<!\{)\}/g, " }");
  if (typeof value !== "object" || value === null || flat.length <= WIDTH - used) {
    return typeof value === "object" && value !== null ? flat : JSON.stringify(value);
  }
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return `[\n${value.map((item) => inner + compact(item, inner, inner.length)).join(",\n")}\n${indent}]`;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${inner}${JSON.stringify(key)}: ${compact(item, inner, inner.length + key.length + 4)}`);
  return `{\n${entries.join(",\n")}\n${indent}}`;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
