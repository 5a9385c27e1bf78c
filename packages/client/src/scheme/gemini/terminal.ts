/** How Gemini's answer ends: finish reasons and counts. */
import type { StopReason } from "../../event.js";
import type { JsonObject } from "../../json.js";
import { asNumber } from "../../json-readers.js";
import type { Counts } from "../response-writer.js";

export function stopReason(reason: string, called: boolean): StopReason {
  if (reason === "STOP") return called ? "tool_use" : "end_turn";
  return STOP_REASONS[reason] ?? "other";
}

/** Reasons that are missing here say that something went wrong in a way that only the provider knows: `other`. */
const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  MAX_TOKENS: "max_tokens",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  IMAGE_SAFETY: "content_filter",
  IMAGE_PROHIBITED_CONTENT: "content_filter",
  IMAGE_RECITATION: "content_filter",
  MODEL_ARMOR: "content_filter",
  CONTINUATION: "pause",
};

/** Thoughts are counted beside the answer, and tool results beside the prompt. */
export function usageOf(usage: JsonObject): Counts {
  const thoughts = asNumber(usage.thoughtsTokenCount);
  return {
    inputTokens: sum(asNumber(usage.promptTokenCount), asNumber(usage.toolUsePromptTokenCount)),
    outputTokens: sum(asNumber(usage.candidatesTokenCount), thoughts),
    totalTokens: asNumber(usage.totalTokenCount),
    cacheReadTokens: asNumber(usage.cachedContentTokenCount),
    reasoningTokens: thoughts,
  };
}

function sum(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined && second === undefined ? undefined : (first ?? 0) + (second ?? 0);
}
