/** Any server that speaks a known wire format: vLLM, DeepSeek, Groq, Mistral, OpenRouter, a gateway of your own. */
import type { LlmClient } from "../client.js";
import { ClientError } from "../error.js";
import { type SchemeName, schemes } from "../scheme/index.js";
import type { Scheme } from "../scheme.js";
import { endpoint, geminiUrl, ollamaUrl } from "./endpoint.js";
import { HttpClient } from "./http-client.js";
import type { ProviderOptions } from "./options.js";

export interface CompatibleOptions extends ProviderOptions {
  readonly baseUrl: string;
  /** The name of a wire format, or one of your own together with `path`. */
  readonly scheme: SchemeName | Scheme;
  /** The server's name, as messages show it; default: the host of the base URL. */
  readonly provider?: string;
  /** Below the base URL; default: the scheme's usual path. */
  readonly path?: string;
  /** Name the limit `max_tokens` on chat completions, which most servers know; default true. */
  readonly legacyMaxTokens?: boolean;
}

export function compatible(options: CompatibleOptions): LlmClient {
  const scheme = typeof options.scheme === "string" ? schemes[options.scheme] : options.scheme;
  return new HttpClient(
    {
      provider: options.provider ?? hostOf(options.baseUrl),
      scheme,
      url: () => urlOf(options, scheme),
      encode: { legacyMaxTokens: options.legacyMaxTokens ?? true },
      apiKey: options.apiKey,
      auth: (key) => authOf(scheme, key),
      ...(scheme.name === "anthropic" ? { headers: { "anthropic-version": "2023-06-01" } } : {}),
    },
    options,
  );
}

function urlOf(options: CompatibleOptions, scheme: Scheme): string {
  if (options.path !== undefined) return endpoint(options.baseUrl, "v1", options.path);
  if (scheme.name === "gemini") return geminiUrl(options.baseUrl, options.model);
  if (scheme.name === "ollama") return ollamaUrl(options.baseUrl);
  const path = PATHS[scheme.name];
  if (path !== undefined) return endpoint(options.baseUrl, "v1", path);
  throw new ClientError("config", `The scheme ${scheme.name} has no usual path. Pass path.`);
}

function authOf(scheme: Scheme, key: string): Readonly<Record<string, string>> {
  if (scheme.name === "anthropic") return { "x-api-key": key };
  return scheme.name === "gemini" ? { "x-goog-api-key": key } : { authorization: `Bearer ${key}` };
}

const PATHS: Readonly<Record<string, string>> = {
  anthropic: "messages",
  "openai-chat": "chat/completions",
  "openai-responses": "responses",
};

function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host;
  } catch {
    return "compatible";
  }
}
