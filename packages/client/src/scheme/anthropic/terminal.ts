/** How a response of Anthropic Messages ends: stop reasons, counts, errors. */
import type { StopReason } from "../../event.js";
import type { JsonObject } from "../../json.js";
import { asNumber, asObject, asText } from "../../json-readers.js";
import type { ResponseWriter } from "../response-writer.js";

export function stopReason(reason: string): StopReason {
  return STOP_REASONS[reason] ?? "other";
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: "end_turn",
  max_tokens: "max_tokens",
  stop_sequence: "stop_sequence",
  tool_use: "tool_use",
  pause_turn: "pause",
  // The server stopped to let the client see its compaction; sending the history again continues.
  compaction: "pause",
  refusal: "refusal",
  model_context_window_exceeded: "context_exceeded",
};

export function errorCode(error: JsonObject | undefined): string | undefined {
  return asText(error?.type);
}

/** Counts are cumulative, told twice, and `input_tokens` leaves out what came from or went to the cache. */
export class AnthropicUsage {
  #input: number | undefined;
  #cacheRead: number | undefined;
  #cacheWrite: number | undefined;

  merge(usage: JsonObject | undefined, response: ResponseWriter): void {
    if (usage === undefined) return;
    this.#input = asNumber(usage.input_tokens) ?? this.#input;
    this.#cacheRead = asNumber(usage.cache_read_input_tokens) ?? this.#cacheRead;
    this.#cacheWrite = asNumber(usage.cache_creation_input_tokens) ?? this.#cacheWrite;
    response.usage({
      inputTokens:
        this.#input === undefined ? undefined : this.#input + (this.#cacheRead ?? 0) + (this.#cacheWrite ?? 0),
      outputTokens: asNumber(usage.output_tokens),
      cacheReadTokens: this.#cacheRead,
      cacheWriteTokens: this.#cacheWrite,
      reasoningTokens: asNumber(asObject(usage.output_tokens_details)?.thinking_tokens),
    });
  }
}
