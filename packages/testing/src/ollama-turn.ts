/** A scripted turn as Ollama streams it: lines of JSON, calls whole. */
import { argumentsText, DEFAULT_USAGE, pieces, type ScriptedTurn } from "./turn.js";

export function ollamaTurn(turn: ScriptedTurn): string {
  const envelope = { model: turn.model ?? "ollama-test", created_at: "2026-01-01T00:00:00Z" };
  const line = (message: object, rest: object = { done: false }) =>
    `${JSON.stringify({ ...envelope, message: { role: "assistant", ...message }, ...rest })}\n`;
  const usage = turn.usage ?? DEFAULT_USAGE;
  const calls = (turn.toolCalls ?? []).map((call) => ({
    id: call.id,
    function: { name: call.name, arguments: JSON.parse(argumentsText(call) || "{}") },
  }));
  return [
    ...pieces(turn.thinking ?? "", turn.deltaSize).map((thinking) => line({ content: "", thinking })),
    ...pieces(turn.text ?? "", turn.deltaSize).map((content) => line({ content })),
    ...calls.map((call) => line({ content: "", tool_calls: [call] })),
    line(
      { content: "" },
      {
        done: true,
        done_reason: turn.stopReason ?? "stop",
        prompt_eval_count: usage.inputTokens ?? 0,
        eval_count: usage.outputTokens ?? 0,
      },
    ),
  ].join("");
}
