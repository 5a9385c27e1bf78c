/** The program as a child process with its input piped, against a scripted model over HTTP. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  hang,
  openaiChatTurn,
  ReplayServer,
  type Turn,
  type turnBuilders,
  turnBuilders as turns,
} from "@tsukumo/testing";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { build, Child } from "../../child.js";

const EXAMPLE = "terminal-agent";
type Scheme = keyof typeof turnBuilders;

let workspace = "";
const closing: (() => unknown)[] = [];

beforeAll(() => build(EXAMPLE));
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "terminal-agent-"));
  writeFileSync(join(workspace, "todo.md"), "- [ ] Renew the passport\n");
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(workspace, { recursive: true });
});

async function model(scheme: Scheme, script: readonly Turn[]): Promise<ReplayServer> {
  const server = await ReplayServer.start({ scheme, turns: script });
  closing.push(() => server.close());
  return server;
}

function start(server: ReplayServer, provider: string, args: readonly string[], input?: string): Child {
  const env = { WORKSPACE: workspace, PROVIDER: provider, MODEL: "test", BASE_URL: server.url };
  const child = new Child(EXAMPLE, ["dist/main.js", ...args], env, input);
  closing.push(() => child.kill());
  return child;
}

const removal = { id: "call_1", name: "removeFile", args: { path: "todo.md" } };

describe("a prompt on the command line", () => {
  it.each([
    ["anthropic", "anthropic"],
    ["openai", "openai-responses"],
    ["openai-chat", "openai-chat"],
    ["gemini", "gemini"],
    ["ollama", "ollama"],
  ] as const)("is answered by %s after a tool call", async (provider, scheme) => {
    const turn = turns[scheme];
    const server = await model(scheme, [
      turn({ toolCalls: [{ id: "call_1", name: "readFile", args: { path: "todo.md" } }] }),
      turn({ text: "One point is open." }),
    ]);
    const child = start(server, provider, ["What is open?"]);
    expect(await child.exited).toBe(0);
    expect(child.output).toContain('→ readFile {"path":"todo.md"}\n✓ readFile: - [ ] Renew the passport⏎\n');
    expect(child.output).toContain("One point is open.\n");
    expect(server.requests[1]?.body).toContain("Renew the passport");
    server.assertOk();
  });

  it("says what is missing where no model is named", async () => {
    const child = new Child(EXAMPLE, ["dist/main.js", "Hello"], { MODEL: undefined }, "");
    expect(await child.exited).toBe(2);
    expect(child.output).toBe("Name the model in MODEL.\n");
  });
});

describe("a destructive tool", () => {
  it.each([
    ["y\n", false, "Removed todo.md."],
    ["n\n", true, "the user said no"],
    ["", true, "the user said no"],
  ])("is asked about; the answer %j", async (answer, remains, told) => {
    const server = await model("openai-chat", [
      openaiChatTurn({ toolCalls: [removal] }),
      openaiChatTurn({ text: "So be it." }),
    ]);
    const child = start(server, "openai-chat", [], `Remove the list\n${answer}`);
    expect(await child.exited).toBe(0);
    expect(child.output).toContain('Run removeFile {"path":"todo.md"}? [y/N] ');
    expect(child.output).toContain("So be it.");
    expect(existsSync(join(workspace, "todo.md"))).toBe(remains);
    expect(server.requests[1]?.body).toContain(told);
  });
});

describe("Ctrl-C", () => {
  it("ends the turn, and the conversation goes on", async () => {
    const endless = openaiChatTurn({ text: "It begins and never ends" });
    const server = await model("openai-chat", [
      hang(endless, endless.indexOf("ver ends")),
      openaiChatTurn({ text: "Here I am again." }),
    ]);
    const child = start(server, "openai-chat", []);
    child.type("First\n");
    await child.told(/It begins/);
    child.kill("SIGINT");
    await child.told(/\(Cancelled: Ctrl-C\)/);
    child.type("Second\n");
    await child.told(/Here I am again\./);
    expect(server.requests[1]?.body).toMatch(/First.*Second/);
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
  });

  it("while a question waits leaves the file, and the next line is a prompt", async () => {
    const server = await model("openai-chat", [
      openaiChatTurn({ toolCalls: [removal] }),
      openaiChatTurn({ text: "As you like." }),
    ]);
    const child = start(server, "openai-chat", []);
    child.type("Remove the list\n");
    await child.told(/\[y\/N\] /);
    child.kill("SIGINT");
    await child.told(/\(Cancelled: Ctrl-C\)/);
    child.type("y\n");
    await child.told(/As you like\./);
    expect(existsSync(join(workspace, "todo.md"))).toBe(true);
  });
});

it("keeps the model inside the workspace", async () => {
  const outside = mkdtempSync(join(tmpdir(), "outside-"));
  closing.push(() => rmSync(outside, { recursive: true }));
  writeFileSync(join(outside, "secret"), "do not tell");
  symlinkSync(outside, join(workspace, "folder"));
  symlinkSync(join(outside, "secret"), join(workspace, "link"));
  const paths = [join(outside, "secret"), "folder/secret", "link", "..", "."];
  const server = await model("openai-chat", [
    openaiChatTurn({
      toolCalls: [
        ...paths.map((path, n) => ({ id: `read_${n}`, name: "readFile", args: { path } })),
        ...paths.map((path, n) => ({ id: `write_${n}`, name: "writeFile", args: { path, text: "changed" } })),
      ],
    }),
    openaiChatTurn({ text: "I cannot." }),
  ]);
  const child = start(server, "openai-chat", ["Tell me the secret"]);
  expect(await child.exited).toBe(0);
  expect(child.output.match(/✗ \w+: .*outside the workspace/g)).toHaveLength(paths.length * 2);
  expect(server.requests[1]?.body).not.toContain("do not tell");
  expect(readFileSync(join(outside, "secret"), "utf8")).toBe("do not tell");
});

it("runs with one command and no key", async () => {
  const child = new Child(
    EXAMPLE,
    ["../run.mjs", EXAMPLE, "What is open?"],
    { WORKSPACE: workspace, MODEL: "", BUILT: "1" },
    "n\n",
  );
  await child.told(/There are 1 open points\./);
  expect(await child.exited).toBe(0);
  expect(readFileSync(join(workspace, "open.md"), "utf8")).toBe("- [ ] Renew the passport\n");
});
