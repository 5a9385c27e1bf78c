/** Ctrl-C while a tool runs, as the shell sends it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { anthropicTurn, ReplayServer } from "@tsukumo/testing";
import { expect, it } from "vitest";

const CLI = fileURLToPath(new URL("../bin/tsukumo.js", import.meta.url));
const TOOLS = fileURLToPath(new URL("./fixtures/run", import.meta.url));

it("the first Ctrl-C ends the run and keeps the session, even while a tool listens to nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tsukumo-run-"));
  const session = join(folder, "session.json");
  const server = await ReplayServer.start({
    turns: [anthropicTurn({ toolCalls: [{ id: "c1", name: "wait_for_ever", args: { name: "x" } }] })],
  });
  const args = ["run", TOOLS, "go", "--model", "m", "--base-url", server.url, "--resume", session];
  const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ANTHROPIC_API_KEY: "k" } });
  const ended = once(child, "exit");
  try {
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      told += text;
    });
    // The usage of the turn is told last, before its tools run.
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        if (text.includes("tokens in")) resolve();
      });
    });
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(told).toContain("interrupted");
    const { history } = JSON.parse(readFileSync(session, "utf8"));
    expect(history.at(-1)).toMatchObject({ type: "function_call_output", callId: "c1", isError: true });
  } finally {
    child.kill("SIGKILL");
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);
