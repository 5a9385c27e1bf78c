/** The model, as the environment names it: PROVIDER, MODEL, BASE_URL and the provider's usual key. */
import type { LlmClient, ProviderOptions } from "@tsukumo/client";
import { anthropic } from "@tsukumo/client/anthropic";
import { gemini } from "@tsukumo/client/gemini";
import { ollama } from "@tsukumo/client/ollama";
import { openai } from "@tsukumo/client/openai";

const providers = new Map<string, (options: ProviderOptions) => LlmClient>([
  ["anthropic", anthropic],
  ["openai", (options) => openai({ ...options, api: "responses" })],
  // Every compatible server speaks chat completions: with BASE_URL, this is vLLM, DeepSeek, Groq, OpenRouter, …
  ["openai-chat", openai],
  ["gemini", gemini],
  ["ollama", ollama],
]);

/** Ends the program where a variable is missing. */
export function modelFromEnvironment({ PROVIDER = "anthropic", MODEL, BASE_URL }: NodeJS.ProcessEnv): LlmClient {
  const provider = providers.get(PROVIDER) ?? fail(`PROVIDER must be one of ${[...providers.keys()].join(", ")}.`);
  return provider({ model: MODEL ?? fail("Name the model in MODEL."), ...(BASE_URL ? { baseUrl: BASE_URL } : {}) });
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
