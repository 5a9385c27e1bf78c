/** An MCP server of notes: over stdio, or with `--http PORT` over Streamable HTTP. */
import { parseArgs } from "node:util";
import { McpServer } from "@tsukumo/mcp";
import { serveHttp, serveStdio } from "@tsukumo/mcp/node";
import { promptDefinitions, resourceDefinitions, ToolRegistry, toolDefinitions } from "@tsukumo/tool";
import { noteNames } from "./notes.js";
import * as prompts from "./prompts.js";
import * as resources from "./resources.js";
import * as reading from "./tools/reading.js";
import * as writing from "./tools/writing.js";

const { values } = parseArgs({ options: { http: { type: "string" } } });

const namesLike = async (begun: string) => (await noteNames()).filter((name) => name.startsWith(begun));
const server = McpServer.builder("notes", "1.0.0", ToolRegistry.of(...[reading, writing].flatMap(toolDefinitions)))
  .withPrompts(...promptDefinitions(prompts))
  .withResources(...resourceDefinitions(resources))
  .withOptions({
    instructions: "The user's notes. Search before you say that there is none.",
    completers: { openEnds: { note: namesLike }, "note:///{name}": { name: namesLike } },
  })
  .build();

const serving = values.http === undefined ? serveStdio(server) : await serveHttp(server, { port: Number(values.http) });
// Standard output belongs to the protocol.
console.error("url" in serving ? `The notes are at ${serving.url}` : "Serving the notes over stdio.");

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => serving.stop().then(() => process.exit()));
