/** What an editor is told: TypeScript's server with the plugin, spoken to as an editor does. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ROOT } from "./run-command.js";

const folder = mkdtempSync(join(tmpdir(), "tsukumo-editor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOURCE =
  "/** B\n * @tool\n * @param m M */\nexport function bad(m: Map<string, string>): void {}\n" +
  "/** G\n * @tool\n * @response\n * ---\n * ---\n * {{ nobody }} */\nexport function greet(): { a: string } { return { a: '' }; }\n";

it.each([
  ["TypeScript's own server", "typescript/lib/tsserver.js"],
  ["ts-patch's server", "ts-patch/compiler/tsserver.js"],
])("%s shows a refusal at its place", async (_, server) => {
  mkdirSync(join(folder, "node_modules/@tsukumo"), { recursive: true });
  for (const [name, target] of [
    ["@tsukumo/transformer", "transformer"],
    ["@tsukumo/tool", "packages/tool"],
    ["typescript", "node_modules/typescript"],
    ["ts-patch", "node_modules/ts-patch"],
  ] as const) {
    rmSync(join(folder, "node_modules", name), { force: true });
    symlinkSync(join(ROOT, target), join(folder, "node_modules", name));
  }
  const plugins = [{ transform: "@tsukumo/transformer" }, { name: "@tsukumo/transformer/language-service" }];
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { strict: true, target: "ES2022", types: [], plugins }, include: ["*.ts"] }),
  );
  const file = join(folder, "bad.ts");
  writeFileSync(file, SOURCE);
  const child = spawn(process.execPath, [join(ROOT, "node_modules", server), "--disableAutomaticTypingAcquisition"], {
    cwd: folder,
  });
  try {
    const send = (seq: number, command: string, args: object): void => {
      child.stdin.write(`${JSON.stringify({ seq, type: "request", command, arguments: args })}\n`);
    };
    const answer = new Promise<{ text: string; start: { line: number; offset: number } }[]>((resolve, reject) => {
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        for (const line of output.split("\n")) {
          if (!line.includes('"request_seq":2')) continue;
          try {
            const { success, body, message } = JSON.parse(line);
            if (success) resolve(body);
            else reject(new Error(message));
          } catch {
            // The rest of the line is on its way.
          }
        }
      });
      child.on("close", () => reject(new Error(`The server ended.\n${output}`)));
    });
    send(1, "open", { file, fileContent: SOURCE });
    send(2, "semanticDiagnosticsSync", { file });
    const told = await answer;
    expect(told).toMatchObject([
      { text: expect.stringContaining("TSK1001"), start: { line: 4, offset: 24 } },
      { text: expect.stringContaining("TSK1028"), start: { line: 7, offset: 4 } },
    ]);
  } finally {
    child.kill();
  }
});
