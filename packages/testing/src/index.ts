export { anthropicTurn } from "./anthropic-turn.js";
export { eventTurn, type ScriptedEventTurn } from "./events.js";
export { geminiTurn } from "./gemini-turn.js";
export { ollamaTurn } from "./ollama-turn.js";
export { openaiChatTurn } from "./openai-chat-turn.js";
export { openaiResponsesTurn } from "./openai-responses-turn.js";
export { type RecordedRequest, type ReplayOptions, ReplayServer } from "./replay-server.js";
export { type Body, cut, drip, errorReply, type Fault, hang, type Reply, rateLimited, type Turn } from "./reply.js";
export {
  type ScriptedAnswer,
  type ScriptedClient,
  type ScriptedClientOptions,
  scriptedClient,
} from "./scripted-client.js";
export { type ScriptedCall, type ScriptedTurn, sse } from "./turn.js";
export { turnBuilders } from "./turns.js";
