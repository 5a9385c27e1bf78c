import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Writable } from "node:stream";
import { McpServer } from "@tsukumo/mcp";
import { type HttpServing, type StdioServing, serveHttp, serveStdio } from "@tsukumo/mcp/node";
import { defineCommand } from "citty";
import { CliError, UsageError } from "../failure.js";
import { loadMarked } from "../load-tools.js";
import { loadProject, type ToolProject } from "../project.js";

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

export const serve = defineCommand({
  meta: { name: "serve", description: "Serve a folder's tools, prompts and resources over MCP" },
  args: {
    path: { type: "positional", required: true, description: "A TypeScript file or a folder of tools" },
    stdio: { type: "boolean", description: "Over standard input and output; so it is unless --http is given" },
    http: { type: "string", valueHint: "port", description: "Over Streamable HTTP at /mcp; 0 takes a free port" },
    host: { type: "string", valueHint: "address", description: "The address to listen at (127.0.0.1)" },
    "allow-host": { type: "string", valueHint: "a,b", description: "Host names that requests may be for" },
    "allow-origin": { type: "string", valueHint: "a,b", description: "Host names of web pages that may call" },
    "token-env": {
      type: "string",
      valueHint: "name",
      description: "The variable that holds the bearer token to ask for",
    },
    name: { type: "string", description: "What clients are told the server is called (the folder's name)" },
  },
  async run({ args }) {
    if (args.stdio === true && args.http !== undefined) throw new UsageError("Give --stdio or --http, not both.");
    if (args.http === undefined) return overStdio(args.path, args.name);
    const port = Number(args.http);
    if (!/^\d+$/.test(args.http) || port > 65_535)
      throw new UsageError(`--http wants a port from 0 to 65535, not ${args.http}.`);
    const host = args.host ?? "127.0.0.1";
    const allowedHosts = names(args["allow-host"]);
    if (!LOOPBACK.has(host) && allowedHosts === undefined)
      throw new UsageError(`With --host ${host}, name the hosts that requests are for: --allow-host mcp.example.com`);
    const allowedOrigins = names(args["allow-origin"]);
    const token = args["token-env"] === undefined ? undefined : tokenFrom(args["token-env"]);
    const serving = await serveHttp(await load(args.path, args.name), {
      port,
      host,
      ...(allowedHosts === undefined ? {} : { allowedHosts }),
      ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
      ...(token === undefined ? {} : { bearer: { verify: async (given) => holderOf(given, token) } }),
    });
    process.stderr.write(`MCP server at ${serving.url}\n`);
    stopOnSignal(serving);
  },
});

async function overStdio(path: string, name: string | undefined): Promise<void> {
  // Before any tool is loaded: what tools print would break the protocol.
  const output = protocolOnly();
  const serving = serveStdio(await load(path, name), { output });
  stopOnSignal(serving);
  // A tool's timers and sockets must not outlive the client.
  process.stdin.once("close", () => void serving.stop(0).then(() => process.exit()));
}

/** Standard output for the protocol; everything else that is written there goes to standard error. */
function protocolOnly(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      write(chunk, done);
    },
  });
}

async function load(path: string, name: string | undefined): Promise<McpServer> {
  const project = loadProject(path);
  const { registry, prompts, resources } = await loadMarked(project);
  return McpServer.builder(name ?? basename(project.directory), versionOf(project), registry)
    .withPrompts(...prompts)
    .withResources(...resources)
    .build();
}

function versionOf({ packageDirectory }: ToolProject): string {
  try {
    const { version } = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8"));
    return typeof version === "string" ? version : "0.0.0";
  } catch {
    return "0.0.0";
  }
}

function names(list: string | undefined): string[] | undefined {
  return list?.split(",").map((name) => name.trim());
}

function tokenFrom(variable: string): string {
  const token = process.env[variable];
  if (token === undefined || token === "") throw new CliError(`The environment variable ${variable} holds no token.`);
  return token;
}

/** Compares digests, so that the time taken says nothing of the token. */
function holderOf(given: string, token: string): { clientId: string; scopes: string[] } | undefined {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token)) ? { clientId: "token", scopes: [] } : undefined;
}

function stopOnSignal(serving: HttpServing | StdioServing): void {
  const stop = (): void => void serving.stop().then(() => process.exit());
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}
