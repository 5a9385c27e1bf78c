/** Anthropic's Messages API. @see https://platform.claude.com/docs/en/api/messages */
import type { LlmClient } from "../client.js";
import { anthropicScheme } from "../scheme/anthropic/index.js";
import { endpoint } from "./endpoint.js";
import { HttpClient } from "./http-client.js";
import { environment, type ProviderOptions } from "./options.js";

export interface AnthropicOptions extends ProviderOptions {
  /** The `anthropic-version` header; default `2023-06-01`. */
  readonly version?: string;
  /** Beta features by their names in the `anthropic-beta` header. */
  readonly beta?: readonly string[];
  /** Tool arguments arrive as the model writes them instead of in whole values. Default true. */
  readonly eagerToolInput?: boolean;
}

const BASE_URL = "https://api.anthropic.com";

/** Reads `ANTHROPIC_API_KEY` and `ANTHROPIC_BASE_URL` where the options say nothing. */
export function anthropic(options: AnthropicOptions): LlmClient {
  const baseUrl = options.baseUrl ?? environment("ANTHROPIC_BASE_URL") ?? BASE_URL;
  return new HttpClient(
    {
      provider: "anthropic",
      scheme: anthropicScheme,
      url: () => endpoint(baseUrl, "v1", "messages"),
      encode: { eagerToolInput: options.eagerToolInput ?? true },
      apiKey: options.apiKey ?? environment("ANTHROPIC_API_KEY"),
      ...(baseUrl === BASE_URL
        ? { keyMissing: "No API key for Anthropic. Set ANTHROPIC_API_KEY or pass apiKey." }
        : {}),
      auth: (key) => ({ "x-api-key": key }),
      headers: {
        "anthropic-version": options.version ?? "2023-06-01",
        ...(options.beta === undefined || options.beta.length === 0
          ? {}
          : { "anthropic-beta": options.beta.join(",") }),
      },
    },
    options,
  );
}
