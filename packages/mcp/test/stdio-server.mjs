/** The tools that the tests call, over stdio or, as a module, over HTTP. */
import { pathToFileURL } from "node:url";
import { McpServer } from "@tsukumo/mcp";
import { serveStdio } from "@tsukumo/mcp/node";
import { ToolOutput, ToolRegistry, toolMeta } from "@tsukumo/tool";

const number = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

function tool(name, effect, execute) {
  const meta = toolMeta({ name, description: name, inputSchema: number, effect });
  return () => [meta, { execute: async (json, context) => execute(JSON.parse(json).n, context) }];
}

export function countingServer() {
  let aborted = 0;
  const registry = ToolRegistry.of(
    tool("double", "read_only", async (n) => {
      await new Promise((resolve) => setTimeout(resolve, n % 5));
      return new ToolOutput(String(n * 2), { structured: n * 2 });
    }),
    tool("fail", "mutating", async (n) => {
      throw new Error(`no ${n}`);
    }),
    tool("hang", "destructive", async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      aborted += 1;
      throw signal.reason;
    }),
    tool("aborts", "read_only", async () => new ToolOutput(String(aborted))),
  );
  return McpServer.builder("counting", "1.0.0", registry).build();
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const serving = serveStdio(countingServer());
  process.once("SIGTERM", () => void serving.stop(100).then(() => process.exit()));
}
