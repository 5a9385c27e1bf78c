/** One connection's (or one request's) server of the official SDK, with our handlers in it. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  isInputRequiredResult,
  McpServer as SdkMcpServer,
  Server as SdkServer,
  type ServerCapabilities,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { isConcrete } from "@tsukumo/tool";
import { complete } from "./completion.js";
import { pageOf } from "./page.js";
import { getPrompt, wirePrompt } from "./prompts.js";
import { readResource, wireResource, wireTemplate } from "./resources.js";
import type { McpServer } from "./server.js";
import { handleTaskRequests } from "./task-requests.js";
import { type Caller, callTool, TASKS_EXTENSION, wireTool } from "./tool-calls.js";

export type Era = "legacy" | "modern";

const DEFAULT_PAGE = 100;

/** @param era which protocol the client speaks: 2025-11-25 and before, or 2026-07-28 */
export function protocolServer(server: McpServer, era: Era): SdkMcpServer {
  const wrapped = new RegistryServer(server, era);
  const sdk = wrapped.server;
  const callerOf = (context: ServerContext): Caller => ({
    context,
    era,
    clientCapabilities: capabilitiesOf(sdk, context, era),
  });
  const size = server.options.pageSize ?? DEFAULT_PAGE;

  sdk.setRequestHandler("tools/list", ({ params }) => {
    const { items, nextCursor } = pageOf(server.registry.definitions(), (meta) => meta.name, size, params?.cursor);
    return { tools: items.map(wireTool), ...next(nextCursor) };
  });
  sdk.setRequestHandler("tools/call", async ({ params }, context) => {
    const result = await callTool(server, callerOf(context), params);
    if (isInputRequiredResult(result) || result.resultType === "task") return result as CallToolResult;
    const outputSchema = server.registry.definition(params.name)?.outputSchema;
    return sdk.projectCallToolResult(result as CallToolResult, outputSchema);
  });
  sdk.setRequestHandler("prompts/list", ({ params }) => {
    const { items, nextCursor } = pageOf(server.prompts.sorted(), ([meta]) => meta.name, size, params?.cursor);
    return { prompts: items.map(([meta]) => wirePrompt(meta)), ...next(nextCursor) };
  });
  sdk.setRequestHandler("prompts/get", ({ params }, context) => getPrompt(server, callerOf(context), params));
  sdk.setRequestHandler("resources/list", ({ params }) => {
    const concrete = server.resources.sorted().filter(([meta]) => isConcrete(meta));
    const { items, nextCursor } = pageOf(concrete, ([meta]) => meta.name, size, params?.cursor);
    return { resources: items.map(([meta]) => wireResource(meta)), ...next(nextCursor) };
  });
  sdk.setRequestHandler("resources/templates/list", ({ params }) => {
    const templates = server.resources.sorted().filter(([meta]) => !isConcrete(meta));
    const { items, nextCursor } = pageOf(templates, ([meta]) => meta.name, size, params?.cursor);
    return { resourceTemplates: items.map(([meta]) => wireTemplate(meta)), ...next(nextCursor) };
  });
  sdk.setRequestHandler("resources/read", ({ params }, context) => readResource(server, callerOf(context), params.uri));
  sdk.setRequestHandler("completion/complete", ({ params }) => complete(server, params));
  if (era === "modern") handleTaskRequests(sdk, server, callerOf);
  return wrapped;
}

/** Tells a client with an open connection what changes; gives the way to stop. */
export function forwardChanges(server: McpServer, sdk: SdkServer, subscribed: ReadonlySet<string>): () => void {
  return server.onChange((change) => {
    const sent = sendChange(sdk, change, subscribed);
    // A client that has gone learns nothing; its connection's end is told elsewhere.
    sent?.catch(() => undefined);
  });
}

/** Keeps which resources a client of revision 2025-11-25 wants to hear of. */
export function handleSubscriptions(sdk: SdkServer): ReadonlySet<string> {
  const subscribed = new Set<string>();
  sdk.setRequestHandler("resources/subscribe", ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  sdk.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  return subscribed;
}

function sendChange(
  sdk: SdkServer,
  change: Parameters<McpServer["notify"]>[0],
  subscribed: ReadonlySet<string>,
): Promise<void> | undefined {
  switch (change.kind) {
    case "tools":
      return sdk.sendToolListChanged();
    case "prompts":
      return sdk.sendPromptListChanged();
    case "resources":
      return sdk.sendResourceListChanged();
    case "resource":
      return subscribed.has(change.uri) ? sdk.sendResourceUpdated({ uri: change.uri }) : undefined;
  }
}

function capabilitiesOf(sdk: SdkServer, context: ServerContext, era: Era): Caller["clientCapabilities"] {
  if (era === "legacy") return sdk.getClientCapabilities() ?? {};
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  // The SDK has checked the envelope before the handler runs.
  return (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Caller["clientCapabilities"];
}

function next(nextCursor: string | undefined): { nextCursor?: string } {
  return nextCursor === undefined ? {} : { nextCursor };
}

/** The SDK's server, except that a tool call may be answered with a task. */
class TaskAwareServer extends SdkServer {
  protected override _wrapHandler(
    ...[method, handler]: Parameters<SdkServer["_wrapHandler"]>
  ): ReturnType<SdkServer["_wrapHandler"]> {
    if (method !== "tools/call") return super._wrapHandler(method, handler);
    return async (request, context) => {
      let task: Awaited<ReturnType<typeof handler>> | undefined;
      const wrapped = super._wrapHandler(method, async (inner, innerContext) => {
        const result = await handler(inner, innerContext);
        if (result.resultType !== "task") return result;
        task = result;
        return { content: [] };
      });
      const result = await wrapped(request, context);
      return task ?? result;
    };
  }
}

/** Gives the HTTP entry the schemas in which it looks for `x-mcp-header`. */
class RegistryServer extends SdkMcpServer {
  override readonly server: SdkServer;
  readonly #schemaOf: (name: string) => Record<string, unknown> | undefined;

  constructor(server: McpServer, era: Era) {
    const info = { name: server.name, version: server.version };
    super(info);
    const Sdk = era === "modern" && server.options.tasks !== undefined ? TaskAwareServer : SdkServer;
    this.server = new Sdk(info, sdkOptions(server, era));
    this.#schemaOf = (name) => {
      const schema = server.registry.definition(name)?.inputSchema;
      return schema === undefined ? undefined : { ...schema };
    };
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#schemaOf(name);
  }
}

function sdkOptions(server: McpServer, era: Era): ServerOptions {
  const { instructions, tasks } = server.options;
  const capabilities: ServerCapabilities = {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    completions: {},
    logging: {},
    ...(era === "modern" && tasks !== undefined ? { extensions: { [TASKS_EXTENSION]: {} } } : {}),
  };
  return {
    capabilities,
    requestState: { verify: server.state.verify },
    ...(instructions === undefined ? {} : { instructions }),
  };
}
