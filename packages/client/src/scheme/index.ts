/** The wire formats, by name. A new one is a folder and a line here. */
import type { Scheme } from "../scheme.js";
import { anthropicScheme } from "./anthropic/index.js";
import { geminiScheme } from "./gemini/index.js";
import { ollamaScheme } from "./ollama/index.js";
import { openAiChatScheme } from "./openai-chat/index.js";
import { openAiResponsesScheme } from "./openai-responses/index.js";

export const schemes = {
  anthropic: anthropicScheme,
  "openai-chat": openAiChatScheme,
  "openai-responses": openAiResponsesScheme,
  gemini: geminiScheme,
  ollama: ollamaScheme,
} as const satisfies Readonly<Record<string, Scheme>>;

export type SchemeName = keyof typeof schemes;
