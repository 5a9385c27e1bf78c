/** The turn builders by scheme. */
import type { SchemeName } from "@tsukumo/client";
import { anthropicTurn } from "./anthropic-turn.js";
import { geminiTurn } from "./gemini-turn.js";
import { ollamaTurn } from "./ollama-turn.js";
import { openaiChatTurn } from "./openai-chat-turn.js";
import { openaiResponsesTurn } from "./openai-responses-turn.js";
import type { ScriptedTurn } from "./turn.js";

export const turnBuilders: Readonly<Record<SchemeName, (turn: ScriptedTurn) => string>> = {
  anthropic: anthropicTurn,
  "openai-chat": openaiChatTurn,
  "openai-responses": openaiResponsesTurn,
  gemini: geminiTurn,
  ollama: ollamaTurn,
};
