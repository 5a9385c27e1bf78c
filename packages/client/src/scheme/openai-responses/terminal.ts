/** How a response ends: stop reasons, counts, errors. */
import type { StopReason, Usage } from "../../event.js";
import type { JsonObject } from "../../json.js";
import { asNumber, asObject, asText } from "../json.js";

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

export function usageOf(usage: JsonObject): Usage {
  const input = asNumber(usage.input_tokens);
  const output = asNumber(usage.output_tokens);
  const total = asNumber(usage.total_tokens);
  const details = asObject(usage.input_tokens_details);
  const cacheRead = asNumber(details?.cached_tokens);
  const cacheWrite = asNumber(details?.cache_write_tokens);
  const reasoning = asNumber(asObject(usage.output_tokens_details)?.reasoning_tokens);
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(total === undefined ? {} : { totalTokens: total }),
    ...(cacheRead === undefined ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
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
