/** OpenAI. @see https://platform.openai.com/docs/api-reference */
import type { LlmClient } from "../client.js";
import { openAiChatScheme } from "../scheme/openai-chat/index.js";
import { openAiResponsesScheme } from "../scheme/openai-responses/index.js";
import { endpoint } from "./endpoint.js";
import { HttpClient } from "./http-client.js";
import { environment, type ProviderOptions } from "./options.js";

export interface OpenAiOptions extends ProviderOptions {
  /** Which of OpenAI's two interfaces; default `"chat"`. Reasoning models keep their reasoning only with `"responses"`. */
  readonly api?: "chat" | "responses";
  readonly organization?: string;
  readonly project?: string;
}

const BASE_URL = "https://api.openai.com";

/** Reads `OPENAI_API_KEY` and `OPENAI_BASE_URL` where the options say nothing. */
export function openai(options: OpenAiOptions): LlmClient {
  const baseUrl = options.baseUrl ?? environment("OPENAI_BASE_URL") ?? BASE_URL;
  const responses = options.api === "responses";
  return new HttpClient(
    {
      provider: "openai",
      scheme: responses ? openAiResponsesScheme : openAiChatScheme,
      url: () => endpoint(baseUrl, "v1", responses ? "responses" : "chat/completions"),
      apiKey: options.apiKey ?? environment("OPENAI_API_KEY"),
      ...(baseUrl === BASE_URL ? { keyMissing: "No API key for OpenAI. Set OPENAI_API_KEY or pass apiKey." } : {}),
      auth: (key) => ({ authorization: `Bearer ${key}` }),
      headers: {
        ...(options.organization === undefined ? {} : { "openai-organization": options.organization }),
        ...(options.project === undefined ? {} : { "openai-project": options.project }),
      },
    },
    options,
  );
}
