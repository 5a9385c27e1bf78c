import { stepCountIs, streamText, tool } from "ai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { z } from "zod";

const noop = tool({ description: "noop", inputSchema: z.object({ n: z.number() }), execute: async () => "ok" });
const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

export async function run(turns, onRequest) {
  let n = 0;
  const model = new MockLanguageModelV3({
    doStream: async () => {
      onRequest(n);
      n += 1;
      const last = n > turns;
      const chunks = last
        ? [
            { type: "text-start", id: "0" },
            { type: "text-delta", id: "0", delta: "done" },
            { type: "text-end", id: "0" },
          ]
        : [
            { type: "tool-input-start", id: `call_${n}`, toolName: "noop" },
            { type: "tool-input-delta", id: `call_${n}`, delta: `{"n":${n}}` },
            { type: "tool-input-end", id: `call_${n}` },
            { type: "tool-call", toolCallId: `call_${n}`, toolName: "noop", input: `{"n":${n}}` },
          ];
      const finishReason = { unified: last ? "stop" : "tool-calls", raw: undefined };
      return {
        stream: simulateReadableStream({
          chunks: [{ type: "stream-start", warnings: [] }, ...chunks, { type: "finish", finishReason, usage }],
          initialDelayInMs: null,
          chunkDelayInMs: null,
        }),
      };
    },
  });
  const result = streamText({
    model,
    tools: { noop },
    prompt: "go",
    stopWhen: stepCountIs(turns + 2),
    onError: ({ error }) => {
      throw error;
    },
  });
  await result.consumeStream();
  const steps = await result.steps;
  if (steps.length !== turns + 1 || (await result.text) !== "done")
    throw new Error(`unexpected: ${steps.length} steps`);
}
