/** How a chat completion ends: finish reasons, counts, errors. */
import type { StopReason } from "../../event.js";
import type { JsonObject } from "../../json.js";
import { asNumber, asObject, asText } from "../../json-readers.js";
import type { Counts } from "../response-writer.js";

export function stopReason(reason: string, hasCalls: boolean, refused: boolean): StopReason {
  const known = STOP_REASONS[reason] ?? "other";
  if (known !== "end_turn") return known;
  // Several servers say "stop" although the model called tools.
  if (hasCalls) return "tool_use";
  return refused ? "refusal" : "end_turn";
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: "end_turn",
  end_turn: "end_turn",
  eos: "end_turn",
  length: "max_tokens",
  max_tokens: "max_tokens",
  model_length: "context_exceeded",
  stop_sequence: "stop_sequence",
  tool_calls: "tool_use",
  function_call: "tool_use",
  content_filter: "content_filter",
  refusal: "refusal",
};

export function usageOf(usage: JsonObject): Counts {
  const prompt = asObject(usage.prompt_tokens_details);
  const output = asObject(usage.completion_tokens_details);
  return {
    inputTokens: asNumber(usage.prompt_tokens),
    outputTokens: asNumber(usage.completion_tokens),
    totalTokens: asNumber(usage.total_tokens),
    cacheReadTokens: asNumber(prompt?.cached_tokens) ?? asNumber(usage.prompt_cache_hit_tokens),
    cacheWriteTokens: asNumber(prompt?.cache_write_tokens),
    reasoningTokens: asNumber(output?.reasoning_tokens),
  };
}

export interface ChatError {
  readonly message: string;
  readonly code: string | undefined;
}

/** The error that a chunk is, in any of the shapes that servers use. */
export function errorOf(name: string, chunk: JsonObject): ChatError | undefined {
  const told = chunk.error;
  if (told !== undefined && told !== null && told !== false) {
    const error = asObject(told);
    const message = asText(error?.message) ?? asText(told) ?? JSON.stringify(told);
    return { message, code: codeOf(error) ?? codeOf(chunk) };
  }
  if (name !== "error" && chunk.object !== "error" && chunk.type !== "error") return undefined;
  return { message: asText(chunk.message) ?? JSON.stringify(chunk), code: codeOf(chunk) };
}

function codeOf(error: JsonObject | undefined): string | undefined {
  const code = error?.code;
  if (typeof code === "number") return String(code);
  return asText(code) ?? asText(error?.type);
}
