/** Nothing is left behind by calls: no handle, no listener. */
import { getEventListeners } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { McpServer } from "@tsukumo/mcp";
import { serveHttp, serveStdio } from "@tsukumo/mcp/node";
import { ToolOutput, ToolRegistry, toolMeta } from "@tsukumo/tool";
import { describe, expect, it } from "vitest";
import { Runs } from "../src/runs.js";
import { countingServer } from "./stdio-server.mjs";
import { STDIO_SERVER } from "./stdio-server-command.js";

const CALLS = Array.from({ length: 1_000 }, (_, n) => n);

describe("handles", () => {
  it.each([
    ["2026-07-28", "auto"],
    ["2025-11-25", "legacy"],
  ] as const)(
    "over HTTP, revision %s: after 1,000 calls and the end, what was open before is open",
    async (_, mode) => {
      const before = process.getActiveResourcesInfo().sort();
      const serving = await serveHttp(countingServer(), { port: 0 });
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(serving.url)));
      for (let at = 0; at < CALLS.length; at += 50)
        await Promise.all(
          CALLS.slice(at, at + 50).map((n) => client.callTool({ name: "double", arguments: { n: n * 5 } })),
        );
      await client.close();
      await serving.stop();
      await expect.poll(() => process.getActiveResourcesInfo().sort()).toEqual(before);
    },
  );

  it("over stdio, the process ends by itself when its client has gone", async () => {
    const before = process.getActiveResourcesInfo().sort();
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const transport = new StdioClientTransport(STDIO_SERVER);
    await client.connect(transport);
    const { pid } = transport;
    for (let at = 0; at < CALLS.length; at += 10)
      await Promise.all(
        CALLS.slice(at, at + 10).map((n) => client.callTool({ name: "double", arguments: { n: n * 5 } })),
      );
    await client.close();
    expect(isAlive(Number(pid))).toBe(false);
    await expect.poll(() => process.getActiveResourcesInfo().sort()).toEqual(before);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("listeners", () => {
  it.each<[string, (signal: () => AbortSignal) => Promise<unknown>]>([
    ["ends", async () => 1],
    ["throws", () => Promise.reject(new Error("no"))],
    [
      "throws before it is asynchronous",
      () => {
        throw new Error("no");
      },
    ],
    ["listens itself", async (signal) => signal().addEventListener("abort", () => undefined)],
  ])("work that %s leaves none on the signal of its connection", async (_, work) => {
    const runs = new Runs();
    const { signal } = new AbortController();
    for (const _call of CALLS) {
      const running = runs.run(signal, work).catch(() => undefined);
      expect(getEventListeners(signal, "abort").length).toBeLessThanOrEqual(1);
      await running;
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(runs.size).toBe(0);
  });

  it("a call that is given up leaves none, whatever its tool does", async () => {
    const runs = new Runs();
    const controller = new AbortController();
    const running = runs.run(controller.signal, () => new Promise(() => undefined));
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    expect(runs.size).toBe(0);
  });

  it("a tool that asks for its signal only after the call was given up gets an aborted one", async () => {
    const runs = new Runs();
    const controller = new AbortController();
    let late: (() => AbortSignal) | undefined;
    const running = runs.run(controller.signal, (signal) => {
      late = signal;
      return new Promise(() => undefined);
    });
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    expect(late?.()).toMatchObject({ aborted: true, reason: new Error("enough") });
  });

  it("an output that is full gets no listener for each answer that waits", async () => {
    const meta = toolMeta({ name: "long", description: "long", inputSchema: { type: "object" } });
    const tool = { execute: async () => new ToolOutput("x".repeat(1_000)) };
    const server = McpServer.builder(
      "leaks",
      "1",
      ToolRegistry.of(() => [meta, tool]),
    ).build();
    const input = new PassThrough();
    const slow = new SlowOutput();
    const serving = serveStdio(server, { input, output: slow });
    for (const id of CALLS) input.write(`${JSON.stringify(call(id))}\n`);
    await expect.poll(() => slow.waiting).toBe(true);
    const counts = ["drain", "error"].map((event) => slow.listenerCount(event));
    expect(Math.max(...counts)).toBeLessThan(10);
    slow.open();
    await expect.poll(() => slow.answered).toBe(CALLS.length);
    await serving.stop();
    expect(["drain", "close"].map((event) => slow.listenerCount(event))).toEqual([0, 0]);
  });
});

function call(id: number): object {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "long", arguments: {}, _meta } };
}

/** Takes its first write only when it is opened. */
class SlowOutput extends Writable {
  waiting = false;
  answered = 0;
  #isOpen = false;
  #next: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.answered += chunk.toString().split("\n").length - 1;
    if (this.#isOpen) return done();
    this.waiting = true;
    this.#next = done;
  }

  open(): void {
    this.#isOpen = true;
    this.#next?.();
  }
}
