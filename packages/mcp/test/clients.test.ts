/** The official clients against the server, over both transports. */
import { setMaxListeners } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { serveHttp } from "@tsukumo/mcp/node";
import { afterEach, describe, expect, it } from "vitest";
import { countingServer } from "./stdio-server.mjs";
import { STDIO_SERVER } from "./stdio-server-command.js";

// Each waiting call of the clients listens to its signal and to its pipe; leaks.test.ts holds the server's own to none.
setMaxListeners(1_100);

const INFO = { name: "test", version: "1" };

interface Connected {
  call(name: string, n: number, signal?: AbortSignal): Promise<object>;
  close(): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function signalOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function second(mode: "auto" | "legacy") {
  return async (over: "http" | "stdio"): Promise<Connected> => {
    const client = new Client(INFO, { versionNegotiation: { mode } });
    closing.push(() => client.close());
    const call: Connected["call"] = (name, n, signal) => client.callTool({ name, arguments: { n } }, signalOf(signal));
    if (over === "http") {
      const serving = await serveHttp(countingServer(), { port: 0 });
      closing.push(() => serving.stop(0));
      await client.connect(new StreamableHTTPClientTransport(new URL(serving.url)));
      return { call, close: () => client.close(), stop: (graceMs) => serving.stop(graceMs) };
    }
    const transport = new StdioClientTransport(STDIO_SERVER);
    await client.connect(transport);
    return { call, close: () => client.close(), stop: async () => void process.kill(Number(transport.pid), "SIGTERM") };
  };
}

async function first(over: "http" | "stdio"): Promise<Connected> {
  const client = new FirstClient(INFO);
  closing.push(() => client.close());
  const call: Connected["call"] = (name, n, signal) =>
    client.callTool({ name, arguments: { n } }, undefined, signalOf(signal));
  if (over === "http") {
    const serving = await serveHttp(countingServer(), { port: 0 });
    closing.push(() => serving.stop(0));
    // The SDK's own types disagree under exactOptionalPropertyTypes.
    await client.connect(new FirstHttp(new URL(serving.url)) as Transport);
    return { call, close: () => client.close(), stop: (graceMs) => serving.stop(graceMs) };
  }
  const transport = new FirstStdio(STDIO_SERVER);
  await client.connect(transport);
  return { call, close: () => client.close(), stop: async () => void process.kill(Number(transport.pid), "SIGTERM") };
}

const CLIENTS = [
  ["client 2, newest revision", second("auto")],
  ["client 2, 2025-11-25", second("legacy")],
  ["client 1", first],
] as const;

describe.each(CLIENTS)("%s", (_, connect) => {
  describe.each(["http", "stdio"] as const)("over %s", (over) => {
    it("gets the answer of each of 1,000 concurrent calls", async () => {
      const { call } = await connect(over);
      const numbers = Array.from({ length: 1_000 }, (_, n) => n);
      const results = await Promise.all(numbers.map((n) => call("double", n)));
      expect(results.map((result) => "content" in result && result.content)).toEqual(
        numbers.map((n) => [{ type: "text", text: String(n * 2) }]),
      );
    });

    it("gets a tool's failure as a result and an unknown tool as an error", async () => {
      const { call } = await connect(over);
      expect(await call("fail", 3)).toMatchObject({ isError: true });
      await expect(call("unknown", 3)).rejects.toMatchObject({ code: -32602 });
    });

    it("cancels calls in the middle; their tools are told, the others are answered", async () => {
      const { call } = await connect(over);
      const cancel = new AbortController();
      const hanging = Array.from({ length: 20 }, () => call("hang", 0, cancel.signal).catch(() => "cancelled"));
      const answered = Promise.all(Array.from({ length: 50 }, (_, n) => call("double", n)));
      expect(await answered).toHaveLength(50);
      cancel.abort();
      expect(await Promise.all(hanging)).toEqual(hanging.map(() => "cancelled"));
      await expect.poll(() => call("aborts", 0)).toMatchObject({ content: [{ text: "20" }] });
    });

    it("leaves no call open when the server stops in the middle", async () => {
      const { call, stop } = await connect(over);
      await call("double", 1);
      const hanging = Array.from({ length: 20 }, () =>
        call("hang", 0).then(
          () => "settled",
          () => "settled",
        ),
      );
      await call("double", 1);
      await stop(100);
      expect(await Promise.all(hanging)).toEqual(hanging.map(() => "settled"));
    });
  });
});
