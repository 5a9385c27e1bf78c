/** A registry's tools for other SDKs: their definitions, and a dispatcher from their calls to their results. */
import type { BatchOptions } from "../batch.js";
import type { ToolRegistry } from "../registry.js";
import { aiSdk } from "./ai-sdk.js";
import { anthropic } from "./anthropic.js";
import { gemini } from "./gemini.js";
import { mcp } from "./mcp.js";
import { openai } from "./openai.js";
import { openaiResponses } from "./openai-responses.js";
import type { Sdk, SdkShapes } from "./shapes.js";
import type { Adapter, DefinitionOptions } from "./types.js";

export type { AiSdkSchema, AiSdkTool, AiSdkToolCall, AiSdkToolResult, AiSdkToolSet } from "./ai-sdk.js";
export type { AnthropicBlock, AnthropicTool, AnthropicToolResult } from "./anthropic.js";
export type { GeminiFunctionCall, GeminiFunctionResponse, GeminiTool } from "./gemini.js";
export type { McpTool, McpToolCall, McpToolResult } from "./mcp.js";
export type { OpenAiTool, OpenAiToolCall, OpenAiToolMessage } from "./openai.js";
export type { OpenAiResponsesItem, OpenAiResponsesOutput, OpenAiResponsesTool } from "./openai-responses.js";
export type { Sdk, SdkShapes } from "./shapes.js";
export type { DefinitionOptions, PlainObject } from "./types.js";

/** Runs the calls among the items of a response; gives as many results as calls, in their order. */
export type Dispatcher<S extends Sdk> = (
  items: readonly SdkShapes[S]["item"][] | null | undefined,
) => Promise<SdkShapes[S]["result"][]>;

type AdapterOf<S extends Sdk> = Adapter<SdkShapes[S]["definitions"], SdkShapes[S]["item"], SdkShapes[S]["result"]>;

const ADAPTERS: { readonly [S in Sdk]: AdapterOf<S> } = {
  openai,
  "openai-responses": openaiResponses,
  anthropic,
  gemini,
  "ai-sdk": aiSdk,
  mcp,
};

/**
 * The registry's tools as an SDK takes them, sorted by name. They are copies: the SDK may write to them. The batch
 * options are for `ai-sdk`, whose tools carry their own `execute`.
 */
export function definitionsFor<S extends Sdk>(
  registry: ToolRegistry,
  sdk: S,
  options: DefinitionOptions = {},
): SdkShapes[S]["definitions"] {
  const adapter: AdapterOf<S> = ADAPTERS[sdk];
  return adapter.definitions(registry, options);
}

/** A function from an SDK's calls to its results. What a tool throws becomes a result; destructive tools are guarded. */
export function dispatcherFor<S extends Sdk>(
  registry: ToolRegistry,
  sdk: S,
  options: BatchOptions = {},
): Dispatcher<S> {
  const adapter: AdapterOf<S> = ADAPTERS[sdk];
  return async (items) => {
    const calls = (items ?? []).flatMap((item) => adapter.call(item) ?? []);
    const outcomes = await registry.dispatchBatch(calls, options);
    return outcomes.map((outcome) => adapter.result(outcome, registry.definition(outcome.name)));
  };
}
