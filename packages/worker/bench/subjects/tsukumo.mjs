import { ToolOutput, toolMeta } from "@tsukumo/tool";
import { Worker } from "../../dist/index.js";

const NOOP = () => [
  toolMeta({
    name: "noop",
    effect: "read_only",
    inputSchema: { type: "object", properties: { n: { type: "number" } } },
  }),
  { execute: async () => new ToolOutput("ok") },
];

/** Runs a loop of `turns` calls; tells the moment of each request. */
export async function run(turns, onRequest) {
  let n = 0;
  const client = {
    provider: "mock",
    model: "mock",
    validate: () => [],
    async *stream() {
      onRequest(n);
      n += 1;
      if (n > turns) {
        yield [
          { type: "block_start", index: 0, block: { type: "text" } },
          { type: "block_delta", index: 0, delta: { type: "text", text: "done" } },
          { type: "block_stop", index: 0, stopReason: "end_turn" },
        ];
        return;
      }
      yield [{ type: "block_start", index: 0, block: { type: "tool_use", id: `call_${n}`, name: "noop" } }];
      yield [{ type: "block_delta", index: 0, delta: { type: "input_json", text: `{"n":${n}}` } }];
      yield [
        { type: "block_stop", index: 0, stopReason: "tool_use" },
        { type: "usage", usage: { inputTokens: 10, outputTokens: 5 } },
      ];
    },
  };
  const worker = Worker.create(client, { tools: [NOOP] });
  const result = await worker.run("go");
  if (result.turns !== turns + 1 || result.text !== "done")
    throw new Error(`unexpected result: ${JSON.stringify(result)}`);
}
