/** One request to a model, before a scheme gives it the provider's shape. */
import type { Item } from "./item.js";
import type { JsonObject, JsonValue } from "./json.js";

export interface Request {
  readonly systemPrompt?: string;
  readonly items: readonly Item[];
  /** In the order in which they are sent; sort them for a stable prefix. */
  readonly tools: readonly LlmToolDefinition[];
  readonly config: RequestConfig;
}

/** What a model is told of a tool. */
export interface LlmToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema, draft 2020-12. */
  readonly inputSchema: JsonObject;
  /** Ask the provider to force its output into the schema, where it can. */
  readonly strict?: boolean;
}

/** Everything is unset by default: the provider's own default counts. */
export interface RequestConfig {
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly stopSequences?: readonly string[];
  readonly toolChoice?: "auto" | "none" | "required" | { readonly name: string };
  readonly parallelToolCalls?: boolean;
  /** An effort label, or a budget of thinking tokens. */
  readonly reasoning?:
    | { readonly effort: "none" | "minimal" | "low" | "medium" | "high" }
    | { readonly budgetTokens: number };
  /** Force the answer's text into a JSON Schema. */
  readonly responseFormat?: { readonly name: string; readonly schema: JsonObject; readonly strict?: boolean };
  /** Prompt caching: Anthropic's breakpoints (`"5m"`, `"1h"`), OpenAI's cache key. */
  readonly cache?: { readonly ttl?: "5m" | "1h"; readonly key?: string };
  /** Fields merged into the body as they are, for what a provider has and tsukumo does not name. */
  readonly extra?: Readonly<Record<string, JsonValue>>;
}
