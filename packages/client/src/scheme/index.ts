/** The wire formats, by name. A new one is a folder and a line here. */
import type { Scheme } from "../scheme.js";
import { anthropicScheme } from "./anthropic/index.js";
import { openAiChatScheme } from "./openai-chat/index.js";

export const schemes = {
  anthropic: anthropicScheme,
  "openai-chat": openAiChatScheme,
} as const satisfies Readonly<Record<string, Scheme>>;

export type SchemeName = keyof typeof schemes;
