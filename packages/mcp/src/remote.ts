/** The tools of a remote MCP server as tool definitions, for a worker or a registry of our own. */
import {
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type ToolContext,
  type ToolDefinition,
  type ToolEffect,
  ToolError,
  ToolOutput,
  toolMeta,
} from "@tsukumo/tool";

/** What is needed of a client: `Client` of @modelcontextprotocol/client 2, or of @modelcontextprotocol/sdk 1. */
export type McpToolsClient = McpToolsClient2 | McpToolsClient1;

export interface McpToolsClient2 extends ToolsLister {
  /** Tells the two apart: version 1 has none. */
  getProtocolEra(): unknown;
  callTool(params: RemoteCall, options?: CallOptions): Promise<object>;
}

export interface McpToolsClient1 extends ToolsLister {
  callTool(params: RemoteCall, resultSchema?: undefined, options?: CallOptions): Promise<object>;
}

export interface ToolsLister {
  listTools(params?: { cursor?: string }): Promise<{ tools: readonly RemoteTool[]; nextCursor?: string | undefined }>;
}

interface RemoteCall {
  name: string;
  arguments?: Record<string, unknown>;
}

interface CallOptions {
  signal?: AbortSignal;
}

export interface RemoteTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined }
    | undefined;
}

export interface McpToolsOptions {
  /** Put before every name, so that the tools of several servers do not collide. */
  readonly prefix?: string;
}

/** All tools of the server, page by page. A tool without annotations counts as destructive, as the protocol says. */
export async function mcpTools(client: McpToolsClient, options: McpToolsOptions = {}): Promise<ToolDefinition[]> {
  const found: RemoteTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    found.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found.map((tool) => remoteTool(client, tool, options.prefix ?? ""));
}

function remoteTool(client: McpToolsClient, tool: RemoteTool, prefix: string): ToolDefinition {
  const meta = toolMeta({
    name: `${prefix}${tool.name}`,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema: schemaOf(tool.inputSchema),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: schemaOf(tool.outputSchema) }),
    effect: effectOf(tool.annotations),
  });
  const execute = async (inputJson: string, context: ToolContext): Promise<ToolOutput> => {
    const call = { name: tool.name, arguments: argumentsOf(meta.name, inputJson) };
    try {
      return outputOf(await underOwnSignal(context.signal, (signal) => callOf(client, call, signal)));
    } catch (thrown) {
      throw ToolError.from(thrown);
    }
  };
  return () => [meta, { execute }];
}

function callOf(client: McpToolsClient, call: RemoteCall, signal: AbortSignal): Promise<object> {
  return "getProtocolEra" in client ? client.callTool(call, { signal }) : client.callTool(call, undefined, { signal });
}

/** Version 1 of the client never removes its listener; a run's signal, which outlives the call, would collect them. */
async function underOwnSignal<T>(outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const onAbort = (): void => own.abort(outer.reason);
  if (outer.aborted) onAbort();
  outer.addEventListener("abort", onAbort);
  try {
    return await work(own.signal);
  } finally {
    outer.removeEventListener("abort", onAbort);
  }
}

function schemaOf(schema: object): JsonSchema {
  // What came over the wire is JSON; a copy is taken, since metas are frozen.
  const { $schema: _, ...rest }: JsonSchema = JSON.parse(JSON.stringify(schema));
  return rest;
}

function effectOf(annotations: RemoteTool["annotations"]): ToolEffect {
  if (annotations?.readOnlyHint === true) return "read_only";
  return annotations?.destructiveHint === false ? "mutating" : "destructive";
}

/** @throws {ToolError} `InvalidArgument`; what the arguments must be, the server checks */
function argumentsOf(name: string, inputJson: string): Record<string, unknown> {
  const text = inputJson.trim();
  if (text === "" || text === "null") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (cause) {
    throw ToolError.invalidArgument(
      `The arguments of ${name} are not valid JSON; send the whole object again.`,
      [],
      cause,
    );
  }
  throw ToolError.invalidArgument(`The arguments of ${name} must be a JSON object.`);
}

function outputOf(result: object): ToolOutput {
  const blocks = "content" in result && Array.isArray(result.content) ? result.content : [];
  const text = blocks.map(textOf).join("\n");
  if ("isError" in result && result.isError === true) throw ToolError.executionFailed(text);
  const metadata: JsonObject = { mcp_content: JSON.stringify(blocks) };
  if (!("structuredContent" in result) || result.structuredContent === undefined)
    return new ToolOutput(text, { metadata });
  const structured = result.structuredContent as JsonValue;
  return new ToolOutput(text === "" ? JSON.stringify(structured) : text, { metadata, structured });
}

/** Text as it is; of the rest, what it is: its bytes are in the output's metadata. */
function textOf(block: unknown): string {
  if (typeof block !== "object" || block === null || !("type" in block)) return "";
  if (block.type === "text" && "text" in block) return String(block.text);
  if (block.type === "resource" && "resource" in block && typeof block.resource === "object" && block.resource !== null)
    return "text" in block.resource ? String(block.resource.text) : "[resource]";
  return "uri" in block ? `[${block.type}: ${block.uri}]` : `[${block.type}]`;
}
