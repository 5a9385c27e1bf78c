/** Clients of revision 2025-11-25 and before over HTTP: a session each, since the server sends them requests. */
import {
  type EventStore,
  type HandleRequestOptions,
  isInitializeRequest,
  type JSONRPCMessage,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { forwardChanges, handleSubscriptions, protocolServer } from "./protocol.js";
import type { McpServer } from "./server.js";

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Whose token opened it. */
  readonly owner: string | undefined;
}

/** How soon a client whose stream ended comes back for the rest, in milliseconds. */
const RETRY_MS = 1_000;
/** How many messages of a session are kept for clients that come back. */
const KEPT_EVENTS = 500;

export class LegacySessions {
  readonly #server: McpServer;
  readonly #max: number;
  readonly #maxBodyBytes: number;
  /** The one used last is the last. */
  readonly #sessions = new Map<string, Session>();

  constructor(server: McpServer, max: number, maxBodyBytes: number) {
    this.#server = server;
    this.#max = max;
    this.#maxBodyBytes = maxBodyBytes;
  }

  async handle(request: Request, options: HandleRequestOptions): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) return this.#resume(id, request, options);
    if (request.method !== "POST" || !isInitializeRequest(options.parsedBody))
      return refusal(400, -32600, "Initialize first, then send the Mcp-Session-Id header with every request.");
    return (await this.#open(options.authInfo?.clientId)).handleRequest(request, options);
  }

  async close(): Promise<void> {
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(open.map(({ transport }) => transport.close()));
  }

  async #resume(id: string, request: Request, options: HandleRequestOptions): Promise<Response> {
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== options.authInfo?.clientId)
      return refusal(404, -32001, "Session not found: initialize again.");
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.transport.handleRequest(request, options);
  }

  async #open(owner: string | undefined): Promise<WebStandardStreamableHTTPServerTransport> {
    const wrapped = protocolServer(this.#server, "legacy");
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      eventStore: new MemoryEvents(),
      retryInterval: RETRY_MS,
      maxRequestBodySize: this.#maxBodyBytes,
      onsessioninitialized: (id) => this.#keep(id, { transport, owner }),
    });
    const stopForwarding = forwardChanges(this.#server, wrapped.server, handleSubscriptions(wrapped.server));
    wrapped.server.onclose = () => {
      stopForwarding();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await wrapped.connect(transport);
    return transport;
  }

  #keep(id: string, session: Session): void {
    this.#sessions.set(id, session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= this.#max || oldest === undefined) return;
    this.#sessions.delete(oldest[0]);
    void oldest[1].transport.close();
  }
}

/** The last messages of a session, for streams that broke off. */
class MemoryEvents implements EventStore {
  readonly #events = new Map<string, { readonly streamId: string; readonly message: JSONRPCMessage }>();
  #count = 0;

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = String(++this.#count);
    this.#events.set(id, { streamId, message });
    const [oldest] = this.#events.keys();
    if (this.#events.size > KEPT_EVENTS && oldest !== undefined) this.#events.delete(oldest);
    return id;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#events.get(eventId)?.streamId;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const streamId = this.#events.get(lastEventId)?.streamId;
    if (streamId === undefined) throw new Error(`The event ${lastEventId} is no longer kept.`);
    for (const [id, event] of this.#events)
      if (event.streamId === streamId && Number(id) > Number(lastEventId) && "jsonrpc" in event.message)
        await send(id, event.message);
    return streamId;
  }
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
