/** A worker that uses the tools of a remote MCP server, through either SDK's client. */
import { getEventListeners } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { McpServer, type McpToolsClient, mcpTools } from "@tsukumo/mcp";
import { type HttpServing, serveHttp } from "@tsukumo/mcp/node";
import { ToolContext, ToolError, ToolOutput, ToolRegistry, toolMeta } from "@tsukumo/tool";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventTurn, scriptedClient } from "../../testing/dist/index.js";
import { Worker } from "../../worker/dist/index.js";

const INFO = { name: "test", version: "1" };
const CITY = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
const WEATHER = { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] } as const;

function weatherServer(): McpServer {
  let aborted = 0;
  const weather = toolMeta({ name: "weather", inputSchema: CITY, outputSchema: WEATHER, effect: "read_only" });
  const broken = toolMeta({ name: "broken", inputSchema: CITY, effect: "read_only" });
  const hang = toolMeta({ name: "hang", inputSchema: CITY, effect: "read_only" });
  const aborts = toolMeta({ name: "aborts", inputSchema: { type: "object" }, effect: "read_only" });
  const registry = ToolRegistry.of(
    () => [weather, { execute: async (json) => ToolOutput.json({ degrees: JSON.parse(json).city.length }) }],
    () => [
      broken,
      {
        execute: async (json) => {
          throw ToolError.executionFailed(`no weather in ${JSON.parse(json).city} <|im_start|>`);
        },
      },
    ],
    () => [
      hang,
      {
        execute: async (_, { signal }) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          aborted += 1;
          throw signal.reason;
        },
      },
    ],
    () => [aborts, { execute: async () => new ToolOutput(String(aborted)) }],
  );
  // Small pages: every client must walk them.
  return McpServer.builder("weather", "1.0.0", registry).withOptions({ pageSize: 1 }).build();
}

const server = weatherServer();
let serving: HttpServing;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  serving = await serveHttp(server, { port: 0 });
});
afterAll(async () => {
  for (const close of closing) await close();
  await serving.stop(0);
});

function second(mode: "auto" | "legacy") {
  return async (): Promise<McpToolsClient> => {
    const client = new Client(INFO, { versionNegotiation: { mode } });
    closing.push(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(new URL(serving.url)));
    return client;
  };
}

async function first(): Promise<McpToolsClient> {
  const client = new FirstClient(INFO);
  closing.push(() => client.close());
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(new FirstHttp(new URL(serving.url)) as Transport);
  return client;
}

describe.each([
  ["client 2, newest revision", second("auto")],
  ["client 2, 2025-11-25", second("legacy")],
  ["client 1", first],
] as const)("%s", (_, connect) => {
  it("a worker gives the model the results and the errors of the remote tools", async () => {
    const model = scriptedClient([
      eventTurn({
        toolCalls: [
          { id: "a", name: "far_weather", args: { city: "Kyoto" } },
          { id: "b", name: "far_broken", args: { city: "Nara" } },
          { id: "c", name: "far_weather", args: {} },
        ],
      }),
      eventTurn({ text: "Done." }),
    ]);
    const worker = Worker.create(model, { tools: await mcpTools(await connect(), { prefix: "far_" }) });
    expect(await worker.run("Weather?")).toMatchObject({ status: "finished", text: "Done." });
    const outputs = new Map(
      worker.history.flatMap((item) => (item.type === "function_call_output" ? [[item.callId, item]] : [])),
    );
    expect(outputs.get("a")).toMatchObject({ output: '{"degrees":5}' });
    const refused = outputs.get("b");
    expect(refused?.isError).toBe(true);
    expect(refused?.output).toContain("no weather in Nara");
    expect(refused?.output).not.toContain("<|im_start|>");
    expect(outputs.get("c")?.isError).toBe(true);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual([
      "far_aborts",
      "far_broken",
      "far_hang",
      "far_weather",
    ]);
  });

  it("gives the structured value beside the text", async () => {
    const registry = ToolRegistry.of(...(await mcpTools(await connect())));
    expect(await registry.dispatch("weather", { city: "Oslo" })).toMatchObject({
      content: '{"degrees":4}',
      structured: { degrees: 4 },
    });
    expect(registry.definition("weather")?.outputSchema).toMatchObject(WEATHER);
  });

  it("cancelling the worker cancels the remote tool", async () => {
    const client = await connect();
    const tools = await mcpTools(client);
    const counter = ToolRegistry.of(...tools);
    const before = Number((await counter.dispatch("aborts")).content);
    const model = scriptedClient([eventTurn({ toolCalls: [{ id: "a", name: "hang", args: { city: "Kobe" } }] })]);
    const worker = Worker.create(model, { tools });
    const cancel = new AbortController();
    const running = worker.run("Hang.", { signal: cancel.signal });
    await expect.poll(() => server.runs.size).toBe(1);
    cancel.abort();
    await running.catch(() => undefined);
    await expect.poll(async () => Number((await counter.dispatch("aborts")).content)).toBe(before + 1);
  });

  it("leaves no listener on the signal that the calls share", async () => {
    const registry = ToolRegistry.of(...(await mcpTools(await connect())));
    const { signal } = new AbortController();
    const context = new ToolContext({ signal });
    for (let n = 0; n < 30; n++) await registry.dispatch("weather", { city: "Oslo" }, context);
    await registry.dispatch("broken", { city: "Oslo" }, context).catch(() => undefined);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
