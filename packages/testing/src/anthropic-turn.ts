/** A scripted turn as Anthropic streams it. */
import { argumentsText, DEFAULT_USAGE, pieces, type ScriptedTurn, sse } from "./turn.js";

export function anthropicTurn(turn: ScriptedTurn): string {
  const usage = turn.usage ?? DEFAULT_USAGE;
  const stream = new AnthropicStream(turn.deltaSize);
  stream.event({
    type: "message_start",
    message: {
      id: turn.id ?? "msg_1",
      type: "message",
      role: "assistant",
      model: turn.model ?? "claude-test",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        // The wire leaves what the cache held out of input_tokens.
        input_tokens: (usage.inputTokens ?? 0) - (usage.cacheReadTokens ?? 0) - (usage.cacheWriteTokens ?? 0),
        cache_read_input_tokens: usage.cacheReadTokens ?? 0,
        cache_creation_input_tokens: usage.cacheWriteTokens ?? 0,
        output_tokens: 1,
      },
    },
  });
  if (turn.thinking !== undefined) {
    stream.block(
      { type: "thinking", thinking: "", signature: "" },
      turn.thinking,
      (thinking) => ({ type: "thinking_delta", thinking }),
      {
        type: "signature_delta",
        signature: "c2lnbmF0dXJl",
      },
    );
  }
  if (turn.text !== undefined)
    stream.block({ type: "text", text: "" }, turn.text, (text) => ({ type: "text_delta", text }));
  for (const call of turn.toolCalls ?? []) {
    stream.block(
      { type: "tool_use", id: call.id, name: call.name, input: {} },
      argumentsText(call),
      (partial_json) => ({
        type: "input_json_delta",
        partial_json,
      }),
    );
  }
  const stopReason = turn.stopReason ?? ((turn.toolCalls ?? []).length > 0 ? "tool_use" : "end_turn");
  stream.event({
    type: "message_delta",
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: {
      output_tokens: usage.outputTokens ?? 0,
      ...(usage.reasoningTokens === undefined
        ? {}
        : { output_tokens_details: { thinking_tokens: usage.reasoningTokens } }),
    },
  });
  stream.event({ type: "message_stop" });
  return stream.text;
}

class AnthropicStream {
  text = "";
  readonly #deltaSize: number | undefined;
  #index = 0;

  constructor(deltaSize: number | undefined) {
    this.#deltaSize = deltaSize;
  }

  event(data: { readonly type: string; readonly [key: string]: unknown }): void {
    this.text += sse(data, data.type);
  }

  block(start: object, text: string, delta: (piece: string) => object, last?: object): void {
    const index = this.#index++;
    this.event({ type: "content_block_start", index, content_block: start });
    for (const piece of pieces(text, this.#deltaSize))
      this.event({ type: "content_block_delta", index, delta: delta(piece) });
    if (last !== undefined) this.event({ type: "content_block_delta", index, delta: last });
    this.event({ type: "content_block_stop", index });
  }
}
