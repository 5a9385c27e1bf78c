/**
 * The code blocks of the documentation as modules that a compiler can build.
 *
 * - ` ```ts ` is a module of its own. A first line `// name.ts` names it, and other blocks of the page may import it by
 *   that name; a name that comes again replaces the earlier file for what follows.
 * - ` ```ts continue ` goes on in the module of the block before it.
 * - ` ```ts run ` is executed too. What it prints must be the ` ```text ` block that follows; without one it must only end well.
 * - ` ```ts no-check: why ` is left alone.
 * - `<!-- ts setup … -->` in front of a block is code that readers do not need to see.
 * - `{ … }` is a body that is left out. In a module without imports, the authoring API needs none.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./run-command.js";

export interface Fence {
  /** The language and what follows it. */
  readonly info: string;
  readonly code: string;
  /** Of the first line of the code, from 1. */
  readonly line: number;
}

export interface Module {
  readonly page: string;
  /** The folder that it shares with the modules it may import. */
  readonly folder: string;
  readonly name: string;
  text: string;
  /** The page's line for each line of the text. */
  readonly lines: number[];
  run: boolean;
  /** What it prints, where a `text` block says so. */
  output: string | undefined;
}

export interface Page {
  /** As seen from the repository's root. */
  readonly path: string;
  readonly fences: readonly Fence[];
  readonly modules: readonly Module[];
}

const AUTHORING: Readonly<Record<string, string>> = {
  ToolContext: "ToolContext",
  ToolOutput: "ToolOutput",
  Untrusted: "type Untrusted",
  tool: "tool",
  toolRegistry: "toolRegistry",
};

/** Generated from fixtures, which are compiled where they are; tests/docs-generated.test.ts holds them. */
const GENERATED = /^docs\/(?:authoring\/|cli\.md$)/;
/** Followed word for word, in an empty folder, by tests/docs-start.test.ts. */
const FOLLOWED = /^docs\/start\//;

export function readPages(): Page[] {
  const readmes = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}/README.md`);
  const paths = [
    "README.md",
    "transformer/README.md",
    "cli/README.md",
    ...readmes,
    "packages/client/docs/adding-a-scheme.md",
    ...markdownIn("docs"),
  ];
  return paths.flatMap((path) => {
    if (GENERATED.test(path)) return [];
    try {
      return [readPage(path, readFileSync(join(ROOT, path), "utf8"))];
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  });
}

export function readPage(path: string, markdown: string): Page {
  const lines = markdown.split("\n");
  const fences: Fence[] = [];
  const modules: Module[] = [];
  let setup: { text: string; line: number } | undefined;
  let group = 0;
  let current: Module | undefined;
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.trim() === "<!-- ts setup") {
      const end = lines.indexOf("-->", at);
      setup = { text: lines.slice(at + 1, end).join("\n"), line: at + 2 };
      at = end;
      continue;
    }
    const open = /^(`{3,})([^`]*)$/.exec(lines[at] ?? "");
    if (open === null) continue;
    const close = lines.findIndex((line, index) => index > at && line.trim() === open[1]);
    if (close === -1) throw new Error(`${path}:${at + 1}: the code block has no end.`);
    const fence = { info: (open[2] ?? "").trim(), code: lines.slice(at + 1, close).join("\n"), line: at + 2 };
    fences.push(fence);
    at = close;
    const words = fence.info.split(" ");
    if (words[0] === "text" && current?.run === true) {
      current.output = `${current.output ?? ""}${fence.code}\n`;
      continue;
    }
    if (words[0] !== "ts" || FOLLOWED.test(path)) {
      current = undefined;
      continue;
    }
    if (words[1]?.startsWith("no-check") === true) {
      if (!/^ts no-check: \S/.test(fence.info))
        throw new Error(`${path}:${fence.line}: say why: \`ts no-check: why\`.`);
      continue;
    }
    const last = modules.at(-1);
    if (words.includes("continue")) {
      if (last === undefined) throw new Error(`${path}:${fence.line}: there is no block to continue.`);
      current = last;
    } else {
      const named = /^\/\/ (\S+\.ts)$/.exec(fence.code.split("\n")[0] ?? "")?.[1];
      const name = named ?? `block-${fence.line}.ts`;
      if (modules.some((other) => other.folder === folderOf(path, group) && other.name === name)) {
        group++;
        for (const other of modules.filter((each) => each.folder === folderOf(path, group - 1)))
          if (other.name !== name && !other.name.startsWith("block-") && !other.run)
            modules.push({ ...other, lines: [...other.lines], folder: folderOf(path, group) });
      }
      current = { page: path, folder: folderOf(path, group), name, text: "", lines: [], run: false, output: undefined };
      modules.push(current);
    }
    if (setup !== undefined) append(current, setup.text, setup.line);
    setup = undefined;
    append(current, fence.code, fence.line);
    if (words.includes("run")) current.run = true;
  }
  for (const module of modules) complete(module);
  return { path, fences, modules };
}

function append(module: Module, code: string, line: number): void {
  const text = code.replaceAll("{ … }", '{ throw new Error("left out"); }');
  module.text += `${text}\n`;
  for (let index = 0; index < text.split("\n").length; index++) module.lines.push(line + index);
}

function complete(module: Module): void {
  if (/^import /m.test(module.text)) return;
  const used = Object.entries(AUTHORING).filter(
    ([name]) =>
      new RegExp(`(?<![\\w.'"\`]|\\* @)@?\\b${name}\\b`).test(code(module.text)) &&
      !new RegExp(`\\b(?:class|type|const|function) ${name}\\b`).test(module.text),
  );
  const names = used.map(([, specifier]) => specifier).join(", ");
  module.text = `${names === "" ? "export {};" : `import { ${names} } from "@tsukumo/tool";`}\n${module.text}`;
  module.lines.unshift(module.lines[0] ?? 1);
}

/** Without comments. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}

function folderOf(page: string, group: number): string {
  const slug = page.replace(/\.md$/, "").replace(/\W+/g, "-");
  return group === 0 ? slug : `${slug}-${group + 1}`;
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith(".") && entry.name !== "node_modules" && entry.name !== "fixtures")
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return markdownIn(path);
      return entry.name.endsWith(".md") ? [relative(ROOT, join(ROOT, path))] : [];
    })
    .sort();
}
