/** Clients of both revisions, connected in memory: through the fetch handler and no socket. */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type McpFetch, type McpFetchOptions, type McpServer, mcpFetch } from "@tsukumo/mcp";

export const REVISIONS = [
  ["2026-07-28", "auto"],
  ["2025-11-25", "legacy"],
] as const;

export type Mode = (typeof REVISIONS)[number][1];

export interface Served {
  readonly handler: McpFetch;
  connect(mode: Mode, options?: ClientOptions): Promise<Client>;
  close(): Promise<void>;
}

export function serve(server: McpServer, options: McpFetchOptions = {}): Served {
  const handler = mcpFetch(server, options);
  const clients: Client[] = [];
  return {
    handler,
    async connect(mode, clientOptions = {}) {
      const client = new Client({ name: "test", version: "1" }, { ...clientOptions, versionNegotiation: { mode } });
      const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
      await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) await client.close();
      await handler.stop(0);
    },
  };
}

/** A request of revision 2026-07-28, as it goes over the wire; gives the JSON-RPC answer. */
export async function rpc(
  handler: McpFetch,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  capabilities: object = {},
): Promise<RpcAnswer> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
  };
  const named = params.name ?? params.taskId;
  if (typeof named === "string") headers["mcp-name"] = named;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } });
  const response = await handler.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
  return response.json();
}

export interface RpcAnswer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
