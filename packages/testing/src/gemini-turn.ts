/** A scripted turn as Gemini streams it. Calls arrive whole; the first one of a turn carries the signature. */
import { argumentsText, DEFAULT_USAGE, pieces, type ScriptedTurn, sse } from "./turn.js";

export function geminiTurn(turn: ScriptedTurn): string {
  const parts = [
    ...pieces(turn.thinking ?? "", turn.deltaSize).map((text) => ({ text, thought: true })),
    ...pieces(turn.text ?? "", turn.deltaSize).map((text) => ({ text })),
    ...(turn.toolCalls ?? []).map((call, index) => ({
      functionCall: { id: call.id, name: call.name, args: JSON.parse(argumentsText(call) || "{}") },
      ...(index === 0 ? { thoughtSignature: "c2lnbmF0dXJl" } : {}),
    })),
  ];
  if (parts.length === 0) parts.push({ text: "" });
  return parts.map((part, index) => chunk(turn, part, index === parts.length - 1)).join("");
}

function chunk(turn: ScriptedTurn, part: object, isLast: boolean): string {
  return sse({
    candidates: [
      {
        content: { parts: [part], role: "model" },
        ...(isLast ? { finishReason: turn.stopReason ?? "STOP" } : {}),
        index: 0,
      },
    ],
    usageMetadata: usageOf(turn),
    modelVersion: turn.model ?? "gemini-test",
    responseId: turn.id ?? "response-1",
  });
}

function usageOf(turn: ScriptedTurn): object {
  const usage = turn.usage ?? DEFAULT_USAGE;
  const input = usage.inputTokens ?? 0;
  const output = usage.outputTokens ?? 0;
  return {
    promptTokenCount: input,
    // Thoughts are counted beside the answer.
    candidatesTokenCount: output - (usage.reasoningTokens ?? 0),
    ...(usage.reasoningTokens === undefined ? {} : { thoughtsTokenCount: usage.reasoningTokens }),
    ...(usage.cacheReadTokens === undefined ? {} : { cachedContentTokenCount: usage.cacheReadTokens }),
    totalTokenCount: input + output,
  };
}
