/** Google's Gemini API. @see https://ai.google.dev/api */
import type { LlmClient } from "../client.js";
import { geminiScheme } from "../scheme/gemini/index.js";
import { geminiUrl } from "./endpoint.js";
import { HttpClient } from "./http-client.js";
import { environment, type ProviderOptions } from "./options.js";

export type GeminiOptions = ProviderOptions;

const BASE_URL = "https://generativelanguage.googleapis.com";

/**
 * Reads `GEMINI_API_KEY` or `GOOGLE_API_KEY`, and `GOOGLE_GEMINI_BASE_URL` as Google's own client does, where the options say
 * nothing. For Vertex AI pass its base URL up to the location, the model as `publishers/google/models/…`, and the token as an
 * `authorization` header.
 */
export function gemini(options: GeminiOptions): LlmClient {
  const baseUrl = options.baseUrl ?? environment("GOOGLE_GEMINI_BASE_URL") ?? BASE_URL;
  return new HttpClient(
    {
      provider: "gemini",
      scheme: geminiScheme,
      url: () => geminiUrl(baseUrl, options.model),
      apiKey: options.apiKey ?? environment("GEMINI_API_KEY") ?? environment("GOOGLE_API_KEY"),
      ...(baseUrl === BASE_URL ? { keyMissing: "No API key for Gemini. Set GEMINI_API_KEY or pass apiKey." } : {}),
      // In a header: a key in the URL would end in logs.
      auth: (key) => ({ "x-goog-api-key": key }),
    },
    options,
  );
}
