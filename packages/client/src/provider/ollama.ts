/** Ollama, local or hosted. @see https://docs.ollama.com/api */
import type { LlmClient } from "../client.js";
import { ollamaScheme } from "../scheme/ollama/index.js";
import { ollamaUrl } from "./endpoint.js";
import { HttpClient } from "./http-client.js";
import { environment, type ProviderOptions } from "./options.js";

export type OllamaOptions = ProviderOptions;

const BASE_URL = "http://127.0.0.1:11434";

/** Reads `OLLAMA_HOST` and `OLLAMA_API_KEY` where the options say nothing; a local server needs no key. */
export function ollama(options: OllamaOptions): LlmClient {
  const baseUrl = options.baseUrl ?? hostUrl(environment("OLLAMA_HOST")) ?? BASE_URL;
  return new HttpClient(
    {
      provider: "ollama",
      scheme: ollamaScheme,
      url: () => ollamaUrl(baseUrl),
      apiKey: options.apiKey ?? environment("OLLAMA_API_KEY"),
      auth: (key) => ({ authorization: `Bearer ${key}` }),
    },
    options,
  );
}

/** The variable is written for the server: often without a scheme, and with the address that it listens on. */
function hostUrl(host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  const url = host.includes("://") ? host : `http://${host}`;
  return url.replace("//0.0.0.0", "//127.0.0.1");
}
