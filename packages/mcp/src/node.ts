/** The transports that need Node: stdio, and an HTTP server. */
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable, Writable } from "node:stream";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { type StdioServerHandle, serveStdio as sdkServeStdio } from "@modelcontextprotocol/server/stdio";
import { DEFAULT_GRACE_MS, type McpFetchOptions, mcpFetch } from "./http.js";
import { forwardChanges, handleSubscriptions, protocolServer } from "./protocol.js";
import type { McpServer } from "./server.js";
import { StdioTransport } from "./stdio.js";

/** How long a client that is slow to read holds a stopping server up, in milliseconds. */
const WRITE_MS = 2_000;

export interface ServeHttpOptions extends McpFetchOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** The address to listen at; `127.0.0.1` unless given. With another, name `allowedHosts` too. */
  readonly host?: string;
}

export interface HttpServing {
  readonly url: string;
  readonly port: number;
  /** No new calls; running ones end, or are given up after `graceMs`; their answers are written, then all closes. */
  stop(graceMs?: number): Promise<void>;
}

/** Serves Streamable HTTP until stopped. @throws where the port is taken */
export async function serveHttp(server: McpServer, options: ServeHttpOptions): Promise<HttpServing> {
  const { port, host = "127.0.0.1", path = "/mcp" } = options;
  const handler = mcpFetch(server, options);
  const answer = toNodeHandler(handler);
  let answers = 0;
  let stopped = false;
  // All, not the idle ones: Node does not count a connection as idle that has carried no request yet, and clients keep such.
  const closeWhenAnswered = (): void => {
    if (stopped && answers === 0) http.closeAllConnections();
  };
  const http = createServer((request, response) => {
    answers += 1;
    response.once("close", () => {
      answers -= 1;
      closeWhenAnswered();
    });
    // Node types a method as possibly absent; a server's request has one.
    answer(request as typeof request & { method: string; url: string }, response).catch((error: unknown) => {
      options.onError?.(error instanceof Error ? error : new Error(String(error)));
      response.destroy();
    });
  });
  await listen(http, port, host);
  const address = http.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}${path}`,
    port: address.port,
    async stop(graceMs = DEFAULT_GRACE_MS) {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      await handler.stop(graceMs);
      stopped = true;
      closeWhenAnswered();
      const late = setTimeout(() => http.closeAllConnections(), WRITE_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

function listen(http: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, host, () => {
      http.off("error", reject);
      resolve();
    });
  });
}

export interface ServeStdioOptions {
  /** The longest message, in bytes; 10 MiB unless given. A longer one ends the connection. */
  readonly maxMessageBytes?: number;
  /** In the place of the process's own streams. */
  readonly input?: Readable;
  readonly output?: Writable;
  readonly onError?: (error: Error) => void;
}

export interface StdioServing {
  /** Running calls end, or are given up after `graceMs`; their answers are written, then the connection closes. */
  stop(graceMs?: number): Promise<void>;
}

/** Serves one client over standard input and output; nothing else may write to standard output. */
export function serveStdio(server: McpServer, options: ServeStdioOptions = {}): StdioServing {
  const { onError, maxMessageBytes, input = process.stdin, output = process.stdout } = options;
  const limit = maxMessageBytes === undefined ? {} : { maxBufferSize: maxMessageBytes };
  const transport = new StdioTransport(input, output, limit);
  const stopForwarding: (() => void)[] = [];
  const handle: StdioServerHandle = sdkServeStdio(
    ({ era }) => {
      const wrapped = protocolServer(server, era);
      const subscribed = era === "legacy" ? handleSubscriptions(wrapped.server) : new Set<string>();
      stopForwarding.push(forwardChanges(server, wrapped.server, subscribed));
      return wrapped;
    },
    { transport, ...(onError === undefined ? {} : { onerror: onError }) },
  );
  return {
    async stop(graceMs = DEFAULT_GRACE_MS) {
      await server.runs.stop(graceMs);
      server.tasks.cancelAll();
      await transport.flushed(WRITE_MS);
      for (const stop of stopForwarding) stop();
      await handle.close();
    },
  };
}
