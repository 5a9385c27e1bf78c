/** What a tool, prompt or resource may do with the client that called it. */
import {
  type AuthInfo,
  type ClientCapabilities,
  type CreateMessageRequest,
  type CreateMessageResult,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type InputRequest,
  type ListRootsResult,
  type LoggingLevel,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { InputChannel } from "./input.js";

export interface AskOptions {
  /** The request's name in a round trip; by kind and order of the calls unless given. */
  readonly key?: string;
}

export interface SessionParts {
  readonly context: ServerContext;
  readonly clientCapabilities: ClientCapabilities;
  readonly channel: InputChannel;
  /** Answers the call with a task and lets the tool go on; undefined where no task may be made. */
  readonly startTask?: (() => InputChannel) | undefined;
}

/** `context.extension(McpSession)` in a tool; undefined where the tool was not called over MCP. */
export class McpSession {
  readonly clientCapabilities: ClientCapabilities;
  readonly #context: ServerContext;
  readonly #startTask: (() => InputChannel) | undefined;
  #channel: InputChannel;
  #asked = 0;
  #inTask = false;

  constructor(parts: SessionParts) {
    this.#context = parts.context;
    this.clientCapabilities = parts.clientCapabilities;
    this.#channel = parts.channel;
    this.#startTask = parts.startTask;
  }

  /** What the token verifier said of the caller; HTTP only. */
  get auth(): AuthInfo | undefined {
    return this.#context.http?.authInfo;
  }

  /** Tells how far the call is, where the client asked to be told. `progress` must grow. */
  async progress(progress: number, total?: number, message?: string): Promise<void> {
    const progressToken = this.#context.mcpReq._meta?.progressToken;
    if (progressToken === undefined || this.#inTask) return;
    await this.#context.mcpReq.notify({
      method: "notifications/progress",
      params: {
        progressToken,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      },
    });
  }

  /** Sends a log message, where the client wants messages of this level. */
  async log(level: LoggingLevel, data: unknown, logger?: string): Promise<void> {
    if (!this.#inTask) await this.#context.mcpReq.log(level, data, logger);
  }

  /**
   * Asks the person. Under revision 2026-07-28 the tool runs again from its start when the answer is there, so do
   * nothing that may not be done twice before the last question.
   * @throws {McpError} -32021 where the client cannot
   */
  async elicit(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options: AskOptions = {},
  ): Promise<ElicitResult> {
    // The channel gives only responses of the method's shape.
    return (await this.#ask({ method: "elicitation/create", params }, "elicit", options)) as ElicitResult;
  }

  /** Asks the client's model. The same rules as for `elicit`. */
  async sample(params: CreateMessageRequest["params"], options: AskOptions = {}): Promise<CreateMessageResult> {
    return (await this.#ask({ method: "sampling/createMessage", params }, "sample", options)) as CreateMessageResult;
  }

  /** The client's root folders. The same rules as for `elicit`. */
  async listRoots(options: AskOptions = {}): Promise<ListRootsResult> {
    return (await this.#ask({ method: "roots/list", params: {} }, "roots", options)) as ListRootsResult;
  }

  /** @throws {McpError} -32021 naming what the client did not declare */
  require(capabilities: ClientCapabilities): void {
    const declared: Readonly<Record<string, unknown>> = { ...this.clientCapabilities };
    const missing = Object.entries(capabilities).filter(([name]) => declared[name] === undefined);
    if (missing.length > 0)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: Object.fromEntries(missing) });
  }

  /** From here on the call is a task, where the tool is served as one and the client knows tasks. */
  startTask(): void {
    if (this.#startTask === undefined || this.#inTask) return;
    this.#channel = this.#startTask();
    this.#inTask = true;
  }

  /** Revision 2025-11-25 over HTTP: ends the stream of this call; the client comes back for the answer. */
  closeStream(): void {
    this.#context.http?.closeSSE?.();
  }

  #ask(request: InputRequest, kind: string, { key }: AskOptions): Promise<unknown> {
    this.#asked += 1;
    return this.#channel.ask(key ?? `${kind}-${this.#asked}`, request);
  }
}
