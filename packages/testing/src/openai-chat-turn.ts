/** A scripted turn as OpenAI's chat completions stream it. */
import { argumentsText, DEFAULT_USAGE, pieces, type ScriptedTurn, sse } from "./turn.js";

export function openaiChatTurn(turn: ScriptedTurn): string {
  const envelope = {
    id: turn.id ?? "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: turn.model ?? "gpt-test",
  };
  const chunk = (delta: object, finishReason: string | null = null) =>
    sse({ ...envelope, choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }] });
  let stream = chunk({ role: "assistant", content: "" });
  for (const reasoning of pieces(turn.thinking ?? "", turn.deltaSize))
    stream += chunk({ reasoning_content: reasoning });
  for (const content of pieces(turn.text ?? "", turn.deltaSize)) stream += chunk({ content });
  for (const [index, call] of (turn.toolCalls ?? []).entries()) {
    const called = { name: call.name, arguments: "" };
    stream += chunk({ tool_calls: [{ index, id: call.id, type: "function", function: called }] });
    for (const piece of pieces(argumentsText(call), turn.deltaSize)) {
      stream += chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  stream += chunk({}, turn.stopReason ?? ((turn.toolCalls ?? []).length > 0 ? "tool_calls" : "stop"));
  return `${stream}${sse({ ...envelope, choices: [], usage: usageOf(turn) })}${sse("[DONE]")}`;
}

function usageOf(turn: ScriptedTurn): object {
  const usage = turn.usage ?? DEFAULT_USAGE;
  const input = usage.inputTokens ?? 0;
  const output = usage.outputTokens ?? 0;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(usage.cacheReadTokens === undefined ? {} : { prompt_tokens_details: { cached_tokens: usage.cacheReadTokens } }),
    ...(usage.reasoningTokens === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: usage.reasoningTokens } }),
  };
}
