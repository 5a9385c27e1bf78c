/** tools/list and tools/call. @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools */
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool as WireTool,
} from "@modelcontextprotocol/server";
import { ToolError, type ToolMeta } from "@tsukumo/tool";
import { blocksOf } from "./content.js";
import { InputPending, PushChannel, type RoundState, RoundTripChannel } from "./input.js";
import type { McpServer } from "./server.js";
import { McpSession } from "./session.js";
import type { Task, TaskSupport } from "./tasks.js";

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** How a request came. */
export interface Caller {
  readonly context: ServerContext;
  readonly clientCapabilities: ClientCapabilities;
  readonly era: "legacy" | "modern";
}

/** A result of tools/call, before it is fitted to the client's revision. */
export type CallResult = CallToolResult | InputRequiredResult | CreatedTask;

export interface CreatedTask {
  readonly resultType: "task";
  readonly [field: string]: unknown;
}

export function wireTool(meta: ToolMeta): WireTool {
  const { name, description, inputSchema, outputSchema, effect, annotations } = meta;
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema } }),
    annotations: { ...hintsOf(effect), ...annotations },
  } as WireTool;
}

/** @throws {ProtocolError} -32602 for an unknown tool, -32021 where it needs what the client cannot */
export async function callTool(
  server: McpServer,
  caller: Caller,
  params: { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> | undefined },
): Promise<CallResult> {
  const { name } = params;
  if (!server.registry.has(name))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(name)}`);
  const support = taskSupport(server, caller, name);
  const call = new ToolCall(server, caller, name, params.arguments);
  if (support === undefined) return call.run();
  return support === "asked" ? call.runUntilTask() : call.startTask();
}

/** How the call may become a task; undefined where it may not. */
function taskSupport(server: McpServer, caller: Caller, name: string): TaskSupport | undefined {
  const tasks = server.options.tasks ?? {};
  const support = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (support === undefined || knowsTasks(caller)) return support;
  if (support === "optional") return undefined;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}

export function knowsTasks({ era, clientCapabilities }: Caller): boolean {
  return era === "modern" && clientCapabilities.extensions?.[TASKS_EXTENSION] !== undefined;
}

class ToolCall {
  readonly #server: McpServer;
  readonly #caller: Caller;
  readonly #name: string;
  readonly #args: unknown;

  constructor(server: McpServer, caller: Caller, name: string, args: unknown) {
    this.#server = server;
    this.#caller = caller;
    this.#name = name;
    this.#args = args;
  }

  /** An ordinary call: an answer, or what the client must say first. */
  run(): Promise<CallToolResult | InputRequiredResult> {
    const { signal } = this.#caller.context.mcpReq;
    const channel = channelFor(this.#caller, this.#name);
    return answering(this.#server, this.#caller, channel, this.#execute(signal, this.#session(channel)));
  }

  /** A task from the start. */
  startTask(): CreatedTask {
    const task = this.#newTask();
    void this.#settle(task, this.#execute(task.signal, this.#session(task)));
    return created(task);
  }

  /** An ordinary call until the tool says that it becomes a task; then the client is answered and the tool goes on. */
  runUntilTask(): Promise<CallResult> {
    const { signal } = this.#caller.context.mcpReq;
    const channel = channelFor(this.#caller, this.#name);
    const abort = new AbortController();
    const onCancel = (): void => abort.abort(signal.reason);
    signal.addEventListener("abort", onCancel, { once: true });
    return new Promise((resolve, reject) => {
      let task: Task | undefined;
      const session = this.#session(channel, () => {
        task = this.#newTask();
        // From now on the end of the request is not the end of the call.
        signal.removeEventListener("abort", onCancel);
        task.signal.addEventListener("abort", () => abort.abort(new Error("the task was cancelled")), { once: true });
        resolve(created(task));
        return task;
      });
      const running = this.#execute(abort.signal, session);
      answering(this.#server, this.#caller, channel, running).then(resolve, reject);
      void running.finally(() => signal.removeEventListener("abort", onCancel)).catch(() => undefined);
      void running.catch(() => undefined).then(() => (task === undefined ? undefined : this.#settle(task, running)));
    });
  }

  #session(channel: ConstructorParameters<typeof McpSession>[0]["channel"], startTask?: () => Task): McpSession {
    const { context, clientCapabilities } = this.#caller;
    return new McpSession({ context, clientCapabilities, channel, startTask });
  }

  async #execute(signal: AbortSignal, session: McpSession): Promise<CallToolResult> {
    const { registry } = this.#server;
    try {
      const output = await this.#server.runs.run(signal, (both) => {
        const context = this.#server.contextFor(session.auth, both).setExtension(McpSession, session);
        return registry.dispatch(this.#name, this.#args, context);
      });
      const content = blocksOf(output);
      if (output.structured === undefined || registry.definition(this.#name)?.outputSchema === undefined)
        return { content };
      return { content, structuredContent: output.structured as CallToolResult["structuredContent"] };
    } catch (thrown) {
      const cause = causeOf(thrown);
      if (cause instanceof ProtocolError || cause instanceof InputPending) throw cause;
      return { content: [{ type: "text", text: ToolError.from(thrown).message }], isError: true };
    }
  }

  #newTask(): Task {
    return this.#server.tasks.create(this.#caller.context.http?.authInfo?.clientId);
  }

  async #settle(task: Task, running: Promise<CallToolResult>): Promise<void> {
    try {
      task.end({ kind: "completed", result: await running });
    } catch (thrown) {
      const code = thrown instanceof ProtocolError ? thrown.code : ProtocolErrorCode.InternalError;
      task.end({ kind: "failed", error: { code, message: thrown instanceof Error ? thrown.message : String(thrown) } });
    }
  }
}

function created(task: Task): CreatedTask {
  return { resultType: "task", ...task.summary() };
}

/** How the client of this revision is asked for input. */
export function channelFor({ era, context }: Caller, target: string): PushChannel | RoundTripChannel {
  if (era === "legacy") return new PushChannel(context);
  const state = context.mcpReq.requestState<RoundState>();
  if (state !== undefined && state.target !== target)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState");
  return new RoundTripChannel(target, state, context.mcpReq.inputResponses);
}

/** What the work gives; where it asked what the client has not answered yet, the question is the result. */
export async function answering<T>(
  server: McpServer,
  { context }: Caller,
  channel: PushChannel | RoundTripChannel,
  work: Promise<T>,
): Promise<T | InputRequiredResult> {
  // A tool may have caught what was thrown into it: what is pending counts, whatever came out.
  try {
    const value = await work;
    if (!isAsking(channel)) return value;
  } catch (thrown) {
    if (!isAsking(channel)) throw thrown;
  }
  const requestState = await server.runs.hold(server.state.mint(channel.state, context));
  return inputRequired({ inputRequests: Object.fromEntries(channel.pending), requestState });
}

function isAsking(channel: PushChannel | RoundTripChannel): channel is RoundTripChannel {
  return channel instanceof RoundTripChannel && channel.pending.size > 0;
}

/** What a ToolError stands for, where a tool threw something that is not for the model. */
export function causeOf(thrown: unknown): unknown {
  return thrown instanceof ToolError && thrown.cause !== undefined ? thrown.cause : thrown;
}

function hintsOf(effect: ToolMeta["effect"]): Record<string, boolean> {
  switch (effect) {
    case "read_only":
      return { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
    case "mutating":
      return { readOnlyHint: false, destructiveHint: false };
    case "destructive":
      return { readOnlyHint: false, destructiveHint: true };
  }
}
