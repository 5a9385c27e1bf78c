import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { mcpTools } from "@tsukumo/mcp";
import { serveHttp } from "@tsukumo/mcp/node";
import { ToolContext, ToolRegistry } from "@tsukumo/tool";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countingServer } from "./stdio-server.mjs";

const closing: (() => Promise<unknown>)[] = [];
let registry: ToolRegistry;

beforeAll(async () => {
  const serving = await serveHttp(countingServer(), { port: 0 });
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  closing.push(
    () => client.close(),
    () => serving.stop(0),
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(serving.url)));
  registry = ToolRegistry.of(...(await mcpTools(client, { prefix: "far_" })));
});
afterAll(async () => {
  for (const close of closing) await close();
});

describe("mcpTools", () => {
  it("gives every remote tool with its schema and effect", () => {
    expect(registry.definitions().map(({ name, effect }) => [name, effect])).toEqual([
      ["far_aborts", "read_only"],
      ["far_double", "read_only"],
      ["far_fail", "mutating"],
      ["far_hang", "destructive"],
    ]);
    expect(registry.definitions()[0]?.inputSchema).toMatchObject({
      properties: { n: { type: "number" } },
      required: ["n"],
    });
  });

  it("calls it, and gives its failure as a tool error", async () => {
    expect((await registry.dispatch("far_double", { n: 21 })).content).toBe("42");
    await expect(registry.dispatch("far_fail", { n: 1 })).rejects.toMatchObject({ code: "ExecutionFailed" });
    await expect(registry.dispatch("far_double", [1])).rejects.toMatchObject({ code: "InvalidArgument" });
  });

  it("hands the abort on to the server's tool", async () => {
    const abort = new AbortController();
    const hanging = registry.dispatch("far_hang", { n: 0 }, new ToolContext({ signal: abort.signal }));
    setTimeout(() => abort.abort(), 50);
    await expect(hanging).rejects.toThrow();
    await expect.poll(async () => (await registry.dispatch("far_aborts", { n: 0 })).content).toBe("1");
  });
});
