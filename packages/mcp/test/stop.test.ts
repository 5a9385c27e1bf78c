/** `stop` loses no answer, however slow its reader; and how many sessions are kept. */
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { PassThrough, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { McpServer, McpSession } from "@tsukumo/mcp";
import { serveHttp, serveStdio } from "@tsukumo/mcp/node";
import { type ToolContext, type ToolDefinition, ToolOutput, ToolRegistry, toolMeta } from "@tsukumo/tool";
import { describe, expect, it } from "vitest";
import { REVISIONS, rpc, serve } from "./connect.js";

const BIG = 4_000_000;
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function tool(name: string, execute: (context: ToolContext) => Promise<string>): ToolDefinition {
  const meta = toolMeta({ name, inputSchema: { type: "object" } });
  return () => [meta, { execute: async (_, context) => new ToolOutput(await execute(context)) }];
}

function testServer() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const registry = ToolRegistry.of(
    tool("big", async () => "x".repeat(BIG)),
    tool("waits", async () => {
      await opened;
      return "done";
    }),
    tool("deaf", () => new Promise(() => undefined)),
    tool("asks", async (context) => {
      await opened;
      await context.extension(McpSession)?.listRoots();
      return "never";
    }),
  );
  return { server: McpServer.builder("stop", "1", registry).build(), open };
}

function callMessage(id: number, name: string, capabilities: object = {}): string {
  const _meta = { ...META, "io.modelcontextprotocol/clientCapabilities": capabilities };
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: {}, _meta } });
}

/** Sends a call and gives the response when its head is there, with the body unread. */
function post(url: string, name: string): Promise<IncomingMessage> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "POST", headers }, resolve);
    request.on("error", reject);
    request.end(callMessage(1, name));
  });
}

describe("over HTTP", () => {
  it("waits for readers that are slow", async () => {
    const { server } = testServer();
    const serving = await serveHttp(server, { port: 0 });
    const responses = await Promise.all(Array.from({ length: 4 }, () => post(serving.url, "big")));
    const stopped = serving.stop();
    await new Promise((resolve) => setTimeout(resolve, 400));
    for (const response of responses) {
      const answer = JSON.parse(await text(response));
      expect(answer.result.content[0].text).toHaveLength(BIG);
    }
    await stopped;
  });

  it("does not wait forever for one that does not read", async () => {
    const { server } = testServer();
    const serving = await serveHttp(server, { port: 0 });
    const response = await post(serving.url, "big");
    await serving.stop();
    await expect(text(response)).rejects.toThrow();
  });

  it("does not wait for a connection that has carried no request", async () => {
    const { server } = testServer();
    const serving = await serveHttp(server, { port: 0 });
    const socket = connect(serving.port, "127.0.0.1");
    const closed = once(socket, "close");
    await once(socket, "connect");
    // Node's server knows of the connection when it has accepted it, which the answer to a later one proves.
    await text(await post(serving.url, "big"));
    const begun = performance.now();
    await serving.stop();
    expect(performance.now() - begun).toBeLessThan(1_500);
    await closed;
  });

  it.each(REVISIONS)("revision %s: calls that end in time are answered, others are given up", async (_, mode) => {
    const { server, open } = testServer();
    const served = serve(server);
    const client = await served.connect(mode);
    const ending = Array.from({ length: 20 }, () => client.callTool({ name: "waits" }));
    const deaf = Array.from({ length: 20 }, () => client.callTool({ name: "deaf" }));
    await expect.poll(() => server.runs.size).toBe(40);
    const stopped = served.handler.stop(100);
    open();
    for (const result of await Promise.all(ending)) expect(result).toMatchObject({ content: [{ text: "done" }] });
    for (const result of await Promise.all(deaf))
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("the server is stopping") }],
      });
    await stopped;
    expect(server.runs.size).toBe(0);
    await expect(client.callTool({ name: "waits" })).rejects.toThrow();
  });

  it("a question that is being signed still reaches the client", async () => {
    const { server, open } = testServer();
    const { handler } = serve(server);
    const asking = rpc(handler, "tools/call", { name: "asks", arguments: {} }, { roots: {} });
    await expect.poll(() => server.runs.size).toBe(1);
    const stopped = handler.stop();
    open();
    expect((await asking).result).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
    await stopped;
  });
});

/** Takes nothing until it is opened. */
class GatedOutput extends Writable {
  received = "";
  #isOpen = false;
  #next: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.received += chunk.toString();
    if (this.#isOpen) done();
    else this.#next = done;
  }

  open(): void {
    this.#isOpen = true;
    this.#next?.();
  }
}

describe("over stdio", () => {
  it("waits until the answers are written", async () => {
    const { server, open } = testServer();
    const input = new PassThrough();
    const output = new GatedOutput();
    const serving = serveStdio(server, { input, output });
    const ids = Array.from({ length: 20 }, (_, id) => id);
    for (const id of ids) input.write(`${callMessage(id, id % 2 === 0 ? "waits" : "deaf")}\n`);
    await expect.poll(() => server.runs.size).toBe(ids.length);
    let isStopped = false;
    const stopped = serving.stop(50).then(() => {
      isStopped = true;
    });
    open();
    await expect.poll(() => server.runs.size).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isStopped).toBe(false);
    output.open();
    await stopped;
    const answers = output.received
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids);
    for (const { id, result } of answers) expect(result.isError ?? false).toBe(id % 2 === 1);
  });
});

describe("sessions of revision 2025-11-25", () => {
  it("beyond maxSessions the one that was used longest ago goes", async () => {
    const { server, open } = testServer();
    open();
    const served = serve(server, { maxSessions: 2 });
    const first = await served.connect("legacy");
    const second = await served.connect("legacy");
    await first.callTool({ name: "waits" });
    const third = await served.connect("legacy");
    await expect(second.callTool({ name: "waits" })).rejects.toThrow(/Session not found/);
    for (const client of [first, third])
      expect(await client.callTool({ name: "waits" })).toMatchObject({ content: [{ text: "done" }] });
    await served.close();
  });

  it("clients of revision 2026-07-28 hold none", async () => {
    const { server, open } = testServer();
    open();
    const served = serve(server, { maxSessions: 1 });
    const legacy = await served.connect("legacy");
    for (let n = 0; n < 5; n++) await (await served.connect("auto")).callTool({ name: "waits" });
    expect(await legacy.callTool({ name: "waits" })).toMatchObject({ content: [{ text: "done" }] });
    await served.close();
  });
});
