/** The bench's tool with fastmcp, over stdio; with a port, over HTTP. */
import { FastMCP } from "fastmcp";
import { z } from "zod";

const server = new FastMCP({ name: "bench", version: "1.0.0" });
server.addTool({
  name: "double",
  description: "Doubles",
  parameters: z.object({ n: z.number() }),
  annotations: { readOnlyHint: true },
  execute: async ({ n }) => String(n * 2),
});

const port = process.argv[2];
if (port === undefined) await server.start({ transportType: "stdio" });
else await server.start({ transportType: "httpStream", httpStream: { port: Number(port), host: "127.0.0.1" } });
