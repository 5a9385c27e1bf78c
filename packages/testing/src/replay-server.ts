/** A real HTTP server on loopback that plays recorded or scripted answers, turn by turn, and keeps the requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { JsonObject, SchemeName } from "@tsukumo/client";
import { bytesOf, type Fault, type Reply, type Turn, toReply } from "./reply.js";

/** A request as the server got it. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's text, byte for byte. */
  readonly body: string;
  /** The body as JSON; an empty object if it is none. */
  readonly json: JsonObject;
}

export interface ReplayOptions {
  /** Picks the content type; default: event streams. */
  readonly scheme?: SchemeName;
  /** One turn a request, or a function of the request and its number from 0. */
  readonly turns: readonly Turn[] | ((request: RecordedRequest, n: number) => Turn | Promise<Turn>);
  /** Checks a request; what it throws goes to `errors`. `n` counts from 0. */
  readonly expect?: (request: RecordedRequest, n: number) => void;
  /** Bytes a chunk; default: the whole body at once. */
  readonly chunkSize?: number;
  /** Milliseconds between chunks; default 0. */
  readonly delayMs?: number;
}

export class ReplayServer {
  /** `http://127.0.0.1:port`, a base URL for any provider. */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: RecordedRequest[] = [];
  /** What `expect` threw, requests beyond the last turn, and failures of the server itself. */
  readonly errors: Error[] = [];

  readonly #server: Server;
  readonly #options: ReplayOptions;
  readonly #sockets: Set<Socket>;
  readonly #active = new Set<ServerResponse>();
  readonly #closing = new AbortController();

  private constructor(server: Server, sockets: Set<Socket>, url: string, options: ReplayOptions) {
    this.#server = server;
    this.#sockets = sockets;
    this.url = url;
    this.#options = options;
    server.on("request", (request, response) => {
      this.#active.add(response);
      response.on("close", () => this.#active.delete(response));
      this.#serve(request, response).catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.errors.push(asError(error));
        response.destroy();
      });
    });
  }

  static async start(options: ReplayOptions): Promise<ReplayServer> {
    const server = createServer();
    const sockets = new Set<Socket>();
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return new ReplayServer(server, sockets, `http://127.0.0.1:${port}`, options);
  }

  /** Answers that are neither finished nor given up by the client. */
  get active(): number {
    return this.#active.size;
  }

  /** @throws {Error} the first entry of `errors`, or when fewer requests came than there are turns. */
  assertOk(): void {
    const [first] = this.errors;
    if (first !== undefined) throw first;
    const { turns } = this.#options;
    if (typeof turns !== "function" && this.requests.length < turns.length) {
      throw new Error(
        `ReplayServer: ${turns.length} turns were scripted, but only ${this.requests.length} requests came.`,
      );
    }
  }

  /** Ends every connection and stops. Nothing stays open. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    const n = this.requests.push(request) - 1;
    try {
      this.#options.expect?.(request, n);
    } catch (error) {
      this.errors.push(asError(error));
    }
    await this.#answer(toReply(await this.#turn(request, n)), response);
  }

  async #turn(request: RecordedRequest, n: number): Promise<Turn> {
    const { turns } = this.#options;
    if (typeof turns === "function") return turns(request, n);
    const turn = turns[n];
    if (turn !== undefined) return turn;
    const message = `ReplayServer: request ${n + 1} came, but only ${turns.length} turns are scripted.`;
    this.errors.push(new Error(message));
    // Not an error that a client would retry.
    return { status: 400, body: JSON.stringify({ error: { type: "replay_exhausted", message } }) };
  }

  async #answer(reply: Reply, response: ServerResponse): Promise<void> {
    const { fault } = reply;
    if (fault?.type === "silence") return;
    await this.#wait(reply.openDelayMs ?? 0);
    if (fault?.type === "refuse") {
      response.destroy();
      return;
    }
    response.writeHead(reply.status ?? 200, { "content-type": this.#contentType(), ...reply.headers });
    response.flushHeaders();
    await this.#wait(reply.firstChunkDelayMs ?? 0);
    await this.#send(reply, fault, response);
  }

  async #send(reply: Reply, fault: Fault | undefined, response: ServerResponse): Promise<void> {
    const whole = bytesOf(reply.body ?? "");
    const body = fault !== undefined && "afterBytes" in fault ? whole.subarray(0, fault.afterBytes) : whole;
    const size = reply.chunkSize ?? this.#options.chunkSize ?? Math.max(body.length, 1);
    const delayMs = reply.delayMs ?? this.#options.delayMs ?? 0;
    for (let at = 0; at < body.length; at += size) {
      if (at > 0) await this.#wait(delayMs);
      if (response.destroyed) return;
      await write(response, body.subarray(at, at + size));
    }
    if (fault?.type === "hang") return;
    // What was written must be on its way before the connection is destroyed.
    if (fault?.type === "cut") setTimeout(() => response.destroy(), 5).unref();
    else response.end();
  }

  #contentType(): string {
    return this.#options.scheme !== undefined && NDJSON_SCHEMES.has(this.#options.scheme)
      ? "application/x-ndjson"
      : "text/event-stream";
  }

  #wait(ms: number): Promise<void> {
    const { signal } = this.#closing;
    if (ms <= 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}

const NDJSON_SCHEMES: ReadonlySet<string> = new Set(["ollama"]);

async function readRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  let body = "";
  incoming.setEncoding("utf8");
  for await (const chunk of incoming) body += chunk;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return { method: incoming.method ?? "", path: incoming.url ?? "", headers, body, json: parseObject(body) };
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Resolves when the chunk is handed over, or when there is nobody to take it any more. */
function write(response: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(chunk, () => resolve());
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
