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
  const usual: Usual = USUAL[scheme.name] ?? {};
  return new HttpClient(
    {
      provider: options.provider ?? hostOf(options.baseUrl),
      scheme,
      url: () => urlOf(options, scheme, usual),
      encode: { legacyMaxTokens: options.legacyMaxTokens ?? true },
      apiKey: options.apiKey,
      auth: usual.auth ?? bearer,
      ...(usual.headers === undefined ? {} : { headers: usual.headers }),
    },
    options,
  );
}

/** How servers of a wire format are reached, where they do as its inventor does. */
interface Usual {
  url?(baseUrl: string, model: string): string;
  /** Default: a bearer token. */
  auth?(key: string): Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const below =
  (path: string) =>
  (baseUrl: string): string =>
    endpoint(baseUrl, "v1", path);

const USUAL: Readonly<Record<string, Usual>> = {
  anthropic: {
    url: below("messages"),
    auth: (key) => ({ "x-api-key": key }),
    headers: { "anthropic-version": "2023-06-01" },
  },
  "openai-chat": { url: below("chat/completions") },
  "openai-responses": { url: below("responses") },
  gemini: { url: geminiUrl, auth: (key) => ({ "x-goog-api-key": key }) },
  ollama: { url: ollamaUrl },
} satisfies Record<SchemeName, Usual>;

function urlOf({ baseUrl, model, path }: CompatibleOptions, scheme: Scheme, usual: Usual): string {
  if (path !== undefined) return below(path)(baseUrl);
  if (usual.url !== undefined) return usual.url(baseUrl, model);
  throw new ClientError("config", `The scheme ${scheme.name} has no usual path. Pass path.`);
}

function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host;
  } catch {
    return "compatible";
  }
}
