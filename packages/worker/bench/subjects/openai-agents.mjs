import { Agent, Runner, setTracingDisabled, tool, Usage } from "@openai/agents";
import { z } from "zod";

setTracingDisabled(true);

export async function run(turns, onRequest) {
  let n = 0;
  const response = () => {
    onRequest(n);
    n += 1;
    const output =
      n > turns
        ? [
            {
              type: "message",
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: "done" }],
            },
          ]
        : [{ type: "function_call", callId: `call_${n}`, name: "noop", status: "completed", arguments: `{"n":${n}}` }];
    return { output, usage: new Usage({ inputTokens: 10, outputTokens: 5, totalTokens: 15 }), responseId: `r${n}` };
  };
  const model = {
    getResponse: async () => response(),
    async *getStreamedResponse() {
      const { output, usage, responseId } = response();
      yield { type: "response_started" };
      yield {
        type: "response_done",
        response: {
          id: responseId,
          usage: { inputTokens: 10, outputTokens: 5, totalTokens: usage.totalTokens },
          output,
        },
      };
    },
  };
  const noop = tool({
    name: "noop",
    description: "noop",
    parameters: z.object({ n: z.number() }),
    execute: async () => "ok",
  });
  const agent = new Agent({ name: "bench", model, tools: [noop] });
  const runner = new Runner({ tracingDisabled: true, modelProvider: { getModel: () => model } });
  const result = await runner.run(agent, "go", { stream: true, maxTurns: turns + 2 });
  for await (const _ of result) void _;
  await result.completed;
  if (n !== turns + 1 || result.finalOutput !== "done")
    throw new Error(`unexpected: ${n} turns, ${result.finalOutput}`);
}
