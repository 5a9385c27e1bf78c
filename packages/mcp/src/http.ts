/**
 * Streamable HTTP as a web-standard handler: `export default mcpFetch(server)` on an edge worker.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
import {
  createMcpHandler,
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  isJsonContentType,
  isLegacyRequest,
  localhostAllowedHostnames,
  readRequestBody,
} from "@modelcontextprotocol/server";
import { type BearerOptions, bearerGate } from "./bearer.js";
import { guard } from "./guard.js";
import { protocolServer } from "./protocol.js";
import type { McpServer } from "./server.js";
import { LegacySessions } from "./sessions.js";

export interface McpFetchOptions {
  /** The path of the one endpoint; `/mcp` unless given. Others are 404. */
  readonly path?: string;
  /** Host names that requests may be for; those of this machine unless given. `*` allows all. */
  readonly allowedHosts?: readonly string[];
  /** Host names of pages that may call; those of this machine unless given. Requests without an Origin pass. */
  readonly allowedOrigins?: readonly string[];
  /** The longest body, in bytes; 4 MiB unless given. */
  readonly maxBodyBytes?: number;
  /** Who may call; anyone unless given. */
  readonly bearer?: BearerOptions;
  /** How many sessions clients of revision 2025-11-25 may hold; 1,000 unless given. Idle ones go first. */
  readonly maxSessions?: number;
  /** Errors that no client sees. */
  readonly onError?: (error: Error) => void;
}

export interface McpFetch {
  fetch(request: Request): Promise<Response>;
  /** Refuses new requests, waits for running calls at most `graceMs`, gives up the rest, closes every stream. */
  stop(graceMs?: number): Promise<void>;
}

export const DEFAULT_GRACE_MS = 5_000;

export function mcpFetch(server: McpServer, options: McpFetchOptions = {}): McpFetch {
  const { path = "/mcp", maxBodyBytes = DEFAULT_MAX_REQUEST_BODY_SIZE, onError } = options;
  const allowed = {
    hosts: options.allowedHosts ?? localhostAllowedHostnames(),
    origins: options.allowedOrigins ?? localhostAllowedHostnames(),
  };
  const authenticate = options.bearer === undefined ? undefined : bearerGate(options.bearer);
  const modern = createMcpHandler(({ era }) => protocolServer(server, era), {
    legacy: "reject",
    maxRequestBodySize: maxBodyBytes,
    ...(onError === undefined ? {} : { onerror: onError }),
  });
  const sessions = new LegacySessions(server, options.maxSessions ?? 1_000, maxBodyBytes);
  const stopListening = server.onChange((change) => {
    switch (change.kind) {
      case "tools":
        return modern.notify.toolsChanged();
      case "prompts":
        return modern.notify.promptsChanged();
      case "resources":
        return modern.notify.resourcesChanged();
      case "resource":
        return modern.notify.resourceUpdated(change.uri);
    }
  });
  let stopping = false;

  const fetch = async (request: Request): Promise<Response> => {
    if (stopping) return rpcError(503, -32000, "The server is stopping.");
    if (new URL(request.url).pathname !== path) return new Response("Not found", { status: 404 });
    const refused = guard(request, allowed);
    if (refused !== undefined) return refused;
    const auth = await authenticate?.(request);
    if (auth instanceof Response) return auth;
    const authInfo = auth === undefined ? {} : { authInfo: auth };
    if (request.method !== "POST") return sessions.handle(request, authInfo);
    if (!isJsonContentType(request.headers.get("content-type")))
      return rpcError(415, -32000, "Unsupported Media Type: Content-Type must be application/json");
    const body = await readBody(request, maxBodyBytes);
    if (body instanceof Response) return body;
    const legacy = await isLegacyRequest(request, body.parsed);
    const call = { ...authInfo, parsedBody: body.parsed };
    return legacy ? sessions.handle(request, call) : modern.fetch(request, call);
  };

  return {
    fetch,
    async stop(graceMs = DEFAULT_GRACE_MS) {
      stopping = true;
      stopListening();
      await server.runs.stop(graceMs);
      server.tasks.cancelAll();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

async function readBody(request: Request, maxBytes: number): Promise<{ readonly parsed: unknown } | Response> {
  const body = await readRequestBody(request, maxBytes);
  if (body.tooLarge) return rpcError(413, -32000, `The request body is larger than ${maxBytes} bytes.`);
  try {
    return { parsed: JSON.parse(body.text) };
  } catch {
    return rpcError(400, -32700, "Parse error: the request body is not valid JSON");
  }
}

export function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
