/** How a response ends: stop reasons, counts, errors. */
import type { StopReason } from "../../event.js";
import type { JsonObject } from "../../json.js";
import { asNumber, asObject, asText } from "../../json-readers.js";
import type { Counts } from "../response-writer.js";

export function incompleteReason(response: JsonObject | undefined): StopReason {
  switch (asText(asObject(response?.incomplete_details)?.reason)) {
    case "max_output_tokens":
    case "max_tokens":
      return "max_tokens";
    case "content_filter":
      return "content_filter";
    default:
      return "other";
  }
}

export function usageOf(usage: JsonObject): Counts {
  const details = asObject(usage.input_tokens_details);
  return {
    inputTokens: asNumber(usage.input_tokens),
    outputTokens: asNumber(usage.output_tokens),
    totalTokens: asNumber(usage.total_tokens),
    cacheReadTokens: asNumber(details?.cached_tokens),
    cacheWriteTokens: asNumber(details?.cache_write_tokens),
    reasoningTokens: asNumber(asObject(usage.output_tokens_details)?.reasoning_tokens),
  };
}

export interface ResponsesError {
  readonly message: string;
  readonly code: string | undefined;
}

/** `error` events tell it flat, failed responses and error bodies as an object. */
export function errorOf(value: JsonObject): ResponsesError {
  const error = asObject(value.error) ?? value;
  const code = asText(error.code) ?? (error === value ? undefined : asText(error.type));
  return { message: asText(error.message) ?? "The provider reported an error without a message.", code };
}
