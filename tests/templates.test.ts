/** The command and templates: drift, watching, calls. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { CLI, tsukumo } from "./run-command.js";

const temporary = mkdtempSync(join(tmpdir(), "tsukumo-templates-"));
const folder = join(temporary, "tools");
const out = join(folder, "tools.gen.ts");
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

beforeAll(() => {
  mkdirSync(folder);
  mkdirSync(join(temporary, "shared"));
  writeFileSync(
    join(folder, "greet.ts"),
    `/** G\n * @tool\n * @descriptionFile ./about.tmpl.md\n * @responseFile ./answer.tmpl.md\n * @param name N */
export function greet(name: string): { name: string } { return { name }; }\n`,
  );
  writeFileSync(join(folder, "about.tmpl.md"), "---\n---\nGreets.\n");
  writeFileSync(
    join(folder, "answer.tmpl.md"),
    '---\nparams: [name = str]\n---\nHi {{ name }}{% include "../shared/end.tmpl.md" %}\n',
  );
  writeFileSync(join(temporary, "shared/end.tmpl.md"), "---\n---\n!\n");
});

it("gen --check sees a change of a template", async () => {
  expect(await tsukumo(["gen", folder])).toMatchObject({ code: 0 });
  expect(await tsukumo(["gen", folder, "--check"])).toMatchObject({ code: 0 });
  writeFileSync(join(folder, "about.tmpl.md"), "---\n---\nGreets people.\n");
  const drift = await tsukumo(["gen", folder, "--check"]);
  expect(drift).toMatchObject({ code: 1, stderr: expect.stringMatching(/^\+.*Greets people/m) });
});

it("gen --watch follows a template, and what it includes from elsewhere", async () => {
  const child = spawn(process.execPath, [CLI, "gen", folder, "--watch"]);
  const generated = (text: string): Promise<void> =>
    vi.waitFor(() => expect(readFileSync(out, "utf8")).toContain(text), { timeout: 30_000, interval: 50 });
  try {
    // The module is there already, so only the command itself can tell that it has begun.
    await once(child.stderr, "data");
    writeFileSync(join(folder, "about.tmpl.md"), "---\n---\nGreets everybody.\n");
    await generated("Greets everybody.");
    writeFileSync(join(temporary, "shared/end.tmpl.md"), "---\n---\n?!\n");
    await generated("?!");
  } finally {
    child.kill("SIGINT");
    await once(child, "close");
  }
});

it("tells a wrong template with its place", async () => {
  const { code, stderr } = await tsukumo(["schema", "fixtures/diagnostics/TSK1028.ts"]);
  expect(code).toBe(1);
  expect(stderr).toContain("error TSK1028: The template is wrong at the inline template:5:7: `nam` is not declared.");
});

it("calls a tool that has a response template", async () => {
  expect(await tsukumo(["call", "fixtures/templates", "search", '{"query":"x"}'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1. ONE (a page): new 0.5"),
  });
});
