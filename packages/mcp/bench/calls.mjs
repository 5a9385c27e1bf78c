/**
 * tools/call per second with p50 and p99, in memory (the fetch handler), over stdio and over HTTP: this package against
 * a server written by hand on the same SDK, and against fastmcp where `npm install --prefix packages/mcp/bench` was run.
 * `node packages/mcp/bench/calls.mjs [calls] [rounds] [way]`; sides take turns, and each goes first in every other round.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { serveStdio as bareStdio } from "@modelcontextprotocol/server/stdio";
import { ToolOutput, ToolRegistry, toolMeta } from "@tsukumo/tool";
import { McpServer, mcpFetch } from "../dist/index.js";
import { serveHttp, serveStdio } from "../dist/node.js";

const inputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const FASTMCP = fileURLToPath(new URL("fastmcp-server.mjs", import.meta.url));
const HAS_FASTMCP = existsSync(new URL("node_modules/fastmcp", import.meta.url));
const FASTMCP_PORT = 38_471;

/** fastmcp has no handler that could be called in memory. */
function sidesOf(way) {
  const sides = ["bare SDK", "tsukumo"];
  return HAS_FASTMCP && way !== "memory" ? [...sides, "fastmcp"] : sides;
}

const AT_ONCE = 16;

function ours() {
  const meta = toolMeta({ name: "double", description: "Doubles", inputSchema, effect: "read_only" });
  const execute = async (json) => new ToolOutput(String(JSON.parse(json).n * 2));
  return McpServer.builder(
    "bench",
    "1.0.0",
    ToolRegistry.of(() => [meta, { execute }]),
  ).build();
}

function bare() {
  const server = new Server({ name: "bench", version: "1.0.0" }, { capabilities: { tools: {} } });
  const tools = [{ name: "double", description: "Doubles", inputSchema, annotations: { readOnlyHint: true } }];
  server.setRequestHandler("tools/list", async () => ({ tools }));
  server.setRequestHandler("tools/call", async ({ params }) => ({
    content: [{ type: "text", text: String(Number(params.arguments.n) * 2) }],
  }));
  return server;
}

const WAYS = {
  async memory(side) {
    const handler = side === "tsukumo" ? mcpFetch(ours()) : createMcpHandler(() => bare());
    const options = { fetch: (url, init) => handler.fetch(new Request(url, init)) };
    return [new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), options), async () => {}];
  },
  async stdio(side) {
    const args = side === "fastmcp" ? [FASTMCP] : [fileURLToPath(import.meta.url), "--serve", side];
    return [new StdioClientTransport({ command: process.execPath, args }), async () => {}];
  },
  async http(side) {
    if (side === "fastmcp") return fastmcpOverHttp();
    if (side === "tsukumo") {
      const serving = await serveHttp(ours(), { port: 0 });
      return [new StreamableHTTPClientTransport(new URL(serving.url)), () => serving.stop(0)];
    }
    const http = createServer(toNodeHandler(createMcpHandler(() => bare())));
    await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
    const url = new URL(`http://127.0.0.1:${http.address().port}/mcp`);
    const stop = async () => {
      http.close();
      http.closeAllConnections();
    };
    return [new StreamableHTTPClientTransport(url), stop];
  },
};

async function fastmcpOverHttp() {
  const server = spawn(process.execPath, [FASTMCP, String(FASTMCP_PORT)], { stdio: "ignore" });
  const url = new URL(`http://127.0.0.1:${FASTMCP_PORT}/mcp`);
  for (let tries = 0; !(await answers(url)); tries++) {
    if (tries === 50) throw new Error("fastmcp does not answer.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return [new StreamableHTTPClientTransport(url), async () => void server.kill()];
}

async function answers(url) {
  try {
    await (await fetch(url)).body?.cancel();
    return true;
  } catch {
    return false;
  }
}

async function measure(client, count) {
  const times = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const n = next++;
      const start = performance.now();
      const { content } = await client.callTool({ name: "double", arguments: { n } });
      if (content[0].text !== String(n * 2)) throw new Error(`Wrong answer to ${n}: ${content[0].text}`);
      times.push(performance.now() - start);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const perSecond = (count / (performance.now() - start)) * 1_000;
  times.sort((a, b) => a - b);
  return { perSecond, p50: times[Math.floor(count * 0.5)], p99: times[Math.floor(count * 0.99)] };
}

async function bench(count, rounds, only) {
  console.log(`${count.toLocaleString("en")} calls, ${AT_ONCE} at once; the median of ${rounds} rounds.\n`);
  console.log("| way | server | calls/s | p50 ms | p99 ms | of the bare SDK |\n|---|---|--:|--:|--:|--:|");
  for (const [way, open] of Object.entries(WAYS)) {
    if (only !== undefined && way !== only) continue;
    const all = {};
    const connected = [];
    for (const side of sidesOf(way)) {
      const [transport, stop] = await open(side);
      const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "auto" } });
      await client.connect(transport);
      await measure(client, Math.ceil(count / 4));
      connected.push({ side, client, stop });
    }
    for (let round = 0; round < rounds; round++)
      for (const { side, client } of round % 2 === 0 ? connected : connected.toReversed()) {
        all[side] ??= [];
        all[side].push(await measure(client, count));
      }
    for (const { client, stop } of connected) {
      await client.close();
      await stop();
    }
    for (const side of sidesOf(way)) {
      const { perSecond, p50, p99 } = middle(all[side]);
      const relative = (perSecond / middle(all["bare SDK"]).perSecond) * 100;
      const rate = Math.round(perSecond).toLocaleString("en");
      console.log(`| ${way} | ${side} | ${rate} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${relative.toFixed(0)} % |`);
    }
  }
}

function middle(rounds) {
  return rounds.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)];
}

if (process.argv[2] === "--serve") {
  if (process.argv[3] === "tsukumo") serveStdio(ours());
  else bareStdio(() => bare());
} else await bench(Number(process.argv[2] ?? 4_000), Number(process.argv[3] ?? 5), process.argv[4]);
