/** The pages of docs/start, followed word for word in an empty folder, with the packed packages. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Registry, startRegistry } from "../scripts/registry.mjs";
import { readPage } from "./docs-blocks.js";
import { ROOT, run } from "./run-command.js";

const PAGES = readdirSync(join(ROOT, "docs/start")).filter((name) => name.endsWith(".md"));
const wanted = process.env.TSUKUMO_DOCS === "1";
if (!wanted) console.warn("The pages of docs/start are not followed: run `npm run docs:test`.");
/** What readers are expected to have, and the machine may not. */
const RUNTIMES = ["bun@1.4.5", "deno@2.9.6"];
/** Only where a page says so: the others must hold on the Node that runs the tests. */
const NEWER_NODE = { "codegen.md": "node@22.23.3" };

let registry: Registry | undefined;
let home: string;
beforeAll(async () => {
  if (!wanted) return;
  home = mkdtempSync(join(tmpdir(), "tsukumo-docs-"));
  registry = await startRegistry();
  await install("runtimes", RUNTIMES);
  for (const [page, node] of Object.entries(NEWER_NODE)) await install(`node-${page}`, [node]);
}, 240_000);
afterAll(() => {
  registry?.stop();
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
});

describe.skipIf(!wanted).each(PAGES)("docs/start/%s", (name) => {
  it("leads from an empty folder to a tool that runs", async () => {
    const markdown = readFileSync(join(ROOT, "docs/start", name), "utf8");
    const lines = markdown.split("\n");
    const { fences } = readPage(`docs/start/${name}`, markdown);
    let folder = join(home, name);
    mkdirSync(folder);
    let said = "";
    let outputs = 0;
    for (const { info, code, line } of fences) {
      const file = /^`(\S+)`:$/.exec(lines[line - 4] ?? "")?.[1];
      if (file !== undefined) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), `${code}\n`);
      } else if (info === "sh") {
        said = await shell(code, folder, name, `docs/start/${name}:${line}`);
        folder = said.trimEnd().split("\n").at(-1) ?? folder;
        said = said.trimEnd().split("\n").slice(0, -1).join("\n");
      } else if (info === "text") {
        expect(said.trimEnd().endsWith(code), `docs/start/${name}:${line}: ${said}`).toBe(true);
        outputs++;
      }
    }
    expect(outputs + Number(name === "index.md")).toBeGreaterThan(0);
  }, 300_000);
});

async function install(folder: string, packages: readonly string[]): Promise<void> {
  const { code, stderr } = await run("npm", ["install", "--prefix", join(home, folder), ...packages]);
  if (code !== 0) throw new Error(`Installing ${packages.join(", ")} failed: ${stderr}`);
}

/** What the commands print, and the folder that they end in as the last line. */
async function shell(commands: string, cwd: string, page: string, place: string): Promise<string> {
  const bins = ["runtimes", `node-${page}`].map((name) => join(home, name, "node_modules/.bin")).join(":");
  const { code, stdout, stderr } = await run("bash", ["-ec", `${commands}\npwd`], {
    cwd,
    env: { npm_config_registry: registry?.url, npm_config_yes: "true", PATH: `${bins}:${process.env.PATH}` },
  });
  expect(code, `${place}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}
