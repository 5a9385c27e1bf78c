/** What a server tells its clients: progress, log messages, and what changed; for clients of both revisions. */
import { McpServer, McpSession } from "@tsukumo/mcp";
import { type ToolContext, type ToolDefinition, ToolOutput, ToolRegistry, toolMeta } from "@tsukumo/tool";
import { afterEach, describe, expect, it } from "vitest";
import { REVISIONS, type Served, serve } from "./connect.js";

const LOG_LEVEL = "io.modelcontextprotocol/logLevel";
const LEVELS = ["debug", "info", "warning", "error"] as const;

function tool(name: string, execute: (context: ToolContext) => Promise<string>): ToolDefinition {
  const meta = toolMeta({ name, inputSchema: { type: "object" } });
  return () => [meta, { execute: async (_, context) => new ToolOutput(await execute(context)) }];
}

const steps = tool("steps", async (context) => {
  const session = context.extension(McpSession);
  await session?.progress(1, 3, "one");
  await session?.progress(2, 3);
  await session?.progress(3);
  return "done";
});
const logs = tool("logs", async (context) => {
  for (const level of LEVELS) await context.extension(McpSession)?.log(level, { level }, "test");
  return "done";
});

const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

function serveTools(...tools: ToolDefinition[]): { served: Served; server: McpServer; registry: ToolRegistry } {
  const registry = ToolRegistry.of(...tools);
  const server = McpServer.builder("notifications", "1", registry)
    .withResources(() => [
      { name: "page", description: "A page", uriTemplate: "app:///page", inputSchema: { type: "object" } },
      { matches: (uri) => uri === "app:///page", read: async (uri) => ({ uri, content: "page" }) },
    ])
    .build();
  const served = serve(server);
  open.push(served);
  return { served, server, registry };
}

describe.each(REVISIONS)("revision %s", (_, mode) => {
  it("tells progress, in order, to who asked", async () => {
    const client = await serveTools(steps).served.connect(mode);
    const told: unknown[] = [];
    const result = await client.callTool({ name: "steps" }, { onprogress: (progress) => told.push(progress) });
    expect(result).toMatchObject({ content: [{ text: "done" }] });
    expect(told).toEqual([{ progress: 1, total: 3, message: "one" }, { progress: 2, total: 3 }, { progress: 3 }]);
  });

  it("tells no progress to who did not ask", async () => {
    const client = await serveTools(steps).served.connect(mode);
    const told: unknown[] = [];
    client.setNotificationHandler("notifications/progress", (notification) => void told.push(notification));
    expect(await client.callTool({ name: "steps" })).toMatchObject({ content: [{ text: "done" }] });
    expect(told).toEqual([]);
  });

  it.each([
    ["debug", ["debug", "info", "warning", "error"]],
    ["warning", ["warning", "error"]],
    ["emergency", []],
  ] as const)("logs what is at least %s to who wants that", async (level, expected) => {
    const client = await serveTools(logs).served.connect(mode);
    const told: unknown[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => void told.push(params));
    if (mode === "legacy") await client.setLoggingLevel(level);
    await client.callTool({ name: "logs", ...(mode === "legacy" ? {} : { _meta: { [LOG_LEVEL]: level } }) });
    expect(told).toEqual(expected.map((one) => ({ level: one, logger: "test", data: { level: one } })));
  });

  it("tells that tools came, changed and went", async () => {
    const { served, registry } = serveTools(steps);
    const told: string[][] = [];
    const onChanged = (_error: unknown, tools: readonly { name: string }[] | null): void => {
      told.push((tools ?? []).map(({ name }) => name));
    };
    const client = await served.connect(mode, { listChanged: { tools: { debounceMs: 0, onChanged } } });
    // A listening stream opens beside the connection.
    await expect
      .poll(async () => {
        registry.replace(steps);
        await client.listTools();
        return told.length;
      })
      .toBeGreaterThan(0);
    registry.register(logs);
    await expect.poll(() => told.at(-1)).toEqual(["logs", "steps"]);
    registry.remove("steps");
    await expect.poll(() => told.at(-1)).toEqual(["logs"]);
  });

  it("tells who listens to a resource that it changed, and nobody else", async () => {
    const { served, server } = serveTools();
    const told: string[] = [];
    const others: string[] = [];
    const client = await served.connect(mode);
    const other = await served.connect(mode);
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void told.push(params.uri));
    other.setNotificationHandler("notifications/resources/updated", ({ params }) => void others.push(params.uri));
    if (mode === "legacy") await client.subscribeResource({ uri: "app:///page" });
    else await client.listen({ resourceSubscriptions: ["app:///page"] });
    await expect
      .poll(() => {
        server.resourceUpdated("app:///other");
        server.resourceUpdated("app:///page");
        return told.length;
      })
      .toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set(["app:///page"]));
    expect(others).toEqual([]);
  });
});

it("a client that has gone is told nothing, and the change reaches the others", async () => {
  const { served, registry } = serveTools(steps);
  const gone = await served.connect("legacy");
  await gone.close();
  registry.register(logs);
  const client = await served.connect("legacy");
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["logs", "steps"]);
});
