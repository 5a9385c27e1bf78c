/** The providers that the command line knows. A new one is a line in the table. */
import type { LlmClient } from "@tsukumo/client";
import { anthropic } from "@tsukumo/client/anthropic";
import { gemini } from "@tsukumo/client/gemini";
import { ollama } from "@tsukumo/client/ollama";
import { openai } from "@tsukumo/client/openai";
import { UsageError } from "./failure.js";

export interface ClientChoice {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
}

type Factory = (options: { readonly model: string; readonly baseUrl?: string }) => LlmClient;

const providers: Readonly<Record<string, Factory>> = {
  anthropic,
  openai,
  "openai-responses": (options) => openai({ ...options, api: "responses" }),
  gemini,
  ollama,
};

export const providerNames: readonly string[] = Object.keys(providers);

/** The client for the options of a command line. Keys come from the environment. @throws {UsageError} */
export function clientFor(choice: ClientChoice): LlmClient {
  const name = choice.provider ?? "anthropic";
  const factory = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (factory === undefined)
    throw new UsageError(`There is no provider ${name}. Known are: ${providerNames.join(", ")}.`);
  if (choice.model === undefined) throw new UsageError("Name the model: --model M.");
  return factory({ model: choice.model, ...(choice.baseUrl === undefined ? {} : { baseUrl: choice.baseUrl }) });
}
