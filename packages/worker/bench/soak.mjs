/**
 * Many workers at once over real HTTP, in one process: none may fail, nothing may stay open, and the memory must come
 * back. Build first; run with `node --expose-gc packages/worker/bench/soak.mjs [--workers 500] [--turns 100]`.
 */
import { parseArgs } from "node:util";
import { ToolOutput, toolMeta } from "@tsukumo/tool";
import { anthropic } from "../../client/dist/provider/anthropic.js";
import { anthropicTurn, ReplayServer } from "../../testing/dist/index.js";
import { Worker } from "../dist/index.js";

const { values } = parseArgs({
  options: { workers: { type: "string", default: "500" }, turns: { type: "string", default: "100" } },
});
const workers = Number(values.workers);
const turns = Number(values.turns);

const bodies = Array.from({ length: turns - 1 }, (_, n) =>
  anthropicTurn({ text: "Working.", toolCalls: [{ id: `call_${n}`, name: "noop", args: { n } }] }),
);
const last = anthropicTurn({ text: "Done." });
const server = await ReplayServer.start({
  scheme: "anthropic",
  turns: ({ json }) => {
    // The server keeps every request; half a million messages are not what is measured here.
    server.requests.length = 0;
    const answered = json.messages.filter(({ role }) => role === "assistant").length;
    return bodies[answered] ?? last;
  },
});

await round(Math.min(50, workers));
const before = memory();
const start = performance.now();
const failures = await round(workers);
const seconds = (performance.now() - start) / 1000;
const after = memory();
const open = server.active;
await server.close();

console.log(
  `${workers} workers, ${turns} turns each: ${failures.length} failed, ${open} requests open, ` +
    `${((workers * turns) / seconds).toFixed(0)} turns/s, heap ${mb(before)} MB before, ${mb(after)} MB after`,
);
for (const failure of failures.slice(0, 3)) console.error(failure);
process.exitCode = failures.length === 0 && open === 0 && after - before < 20e6 ? 0 : 1;

async function round(count) {
  // Server and clients share one thread here, and the platform's fetch is not fair: a request may wait long for its turn.
  const client = anthropic({ baseUrl: server.url, apiKey: "k", model: "m", openTimeoutMs: Number.POSITIVE_INFINITY });
  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, async () => {
      const worker = Worker.create(client, { tools: [noop] });
      const result = await worker.run("go");
      if (result.turns !== turns || result.text !== "Done.") throw new Error(`unexpected: ${JSON.stringify(result)}`);
    }),
  );
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
}

function noop() {
  return [
    toolMeta({ name: "noop", effect: "read_only", inputSchema: { type: "object" } }),
    { execute: async () => new ToolOutput("ok") },
  ];
}

function memory() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function mb(bytes) {
  return (bytes / 1e6).toFixed(1);
}
