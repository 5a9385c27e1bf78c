/** `tsukumo serve` as clients start it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, it } from "vitest";

const CLI = fileURLToPath(new URL("../bin/tsukumo.js", import.meta.url));
const TOOLS = fileURLToPath(new URL("./fixtures/serve", import.meta.url));
const closing: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function http(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [CLI, "serve", TOOLS, "--http", "0", ...args], {
    env: { ...process.env, ...env },
  });
  closing.push(async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  child.stderr.setEncoding("utf8");
  for await (const text of child.stderr) {
    const url = /http:\S+/.exec(text)?.[0];
    if (url !== undefined) return { child, url: new URL(url) };
  }
  throw new Error("The server did not start.");
}

async function expectEverything(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map((tool) => [tool.name, tool.annotations?.readOnlyHint])).toEqual([["add", true]]);
  const result = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  expect(result).toMatchObject({ structuredContent: { sum: 3 }, content: [{ type: "text", text: '{"sum":3}' }] });
  const prompt = await client.getPrompt({ name: "review", arguments: { lines: "41" } });
  expect(prompt.messages).toEqual([{ role: "user", content: { type: "text", text: "Review 42 lines." } }]);
  const { contents } = await client.readResource({ uri: "config://app/a%20b" });
  expect(contents).toMatchObject([{ text: '{"key":"a b"}' }]);
  expect((await client.listResourceTemplates()).resourceTemplates.map((one) => one.uriTemplate)).toEqual([
    "config://app/{key}",
  ]);
}

describe("tsukumo serve", () => {
  it("serves a folder over stdio, where what tools print goes to stderr", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, "serve", TOOLS],
      stderr: "pipe",
    });
    let printed = "";
    transport.stderr?.on("data", (chunk) => {
      printed += String(chunk);
    });
    const client = new Client({ name: "test", version: "1" });
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    closing.push(() => client.close());
    await client.connect(transport);
    await expectEverything(client);
    expect(printed).toContain("loaded\n");
    expect(printed).toContain("adding\n");
    expect(errors).toEqual([]);
  });

  it("serves a folder over HTTP and stops on SIGTERM", async () => {
    const { child, url } = await http([]);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(url));
    await expectEverything(client);
    await client.close();
    child.kill("SIGTERM");
    expect((await once(child, "exit"))[0]).toBe(0);
  });

  it("asks for the token that the variable holds", async () => {
    const { url } = await http(["--token-env", "SERVE_TOKEN"], { SERVE_TOKEN: "s3cret" });
    const statusWith = async (authorization: string) =>
      (await fetch(url, { method: "POST", headers: { authorization, "content-type": "application/json" }, body: "{}" }))
        .status;
    expect(await statusWith("")).toBe(401);
    expect(await statusWith("Bearer wrong")).toBe(401);
    expect(await statusWith("Bearer s3cret")).not.toBe(401);
  });

  it.each([
    [["--http", "x"], "--http wants a port"],
    [["--http", "1", "--stdio"], "not both"],
    [["--http", "0", "--host", "0.0.0.0"], "--allow-host"],
    [["--http", "0", "--token-env", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE holds no token"],
  ])("refuses %j", async (args, message) => {
    const child = spawn(process.execPath, [CLI, "serve", TOOLS, ...args]);
    let printed = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    expect((await once(child, "close"))[0]).not.toBe(0);
    expect(printed).toContain(message);
  });
});
