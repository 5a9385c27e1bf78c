/** The README's code, run as it stands there. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { HttpServing } from "@tsukumo/mcp/node";
import { type ToolDefinition, ToolOutput, toolMeta } from "@tsukumo/tool";
import { expect, it } from "vitest";

it("the README's server serves", async () => {
  const code = /```js\n([\s\S]*?)```/.exec(readFileSync(new URL("../README.md", import.meta.url), "utf8"))?.[1];
  const file = new URL(`./readme-${process.pid}.mjs`, import.meta.url);
  writeFileSync(file, code ?? "");
  try {
    const module: { serve: (...tools: ToolDefinition[]) => Promise<HttpServing> } = await import(file.href);
    const meta = toolMeta({ name: "hello", inputSchema: { type: "object" } });
    const serving = await module.serve(() => [meta, { execute: async () => new ToolOutput("hi") }]);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(serving.url)));
    expect(await client.callTool({ name: "hello" })).toMatchObject({ content: [{ type: "text", text: "hi" }] });
    await client.close();
    await serving.stop();
  } finally {
    rmSync(file);
  }
});
