/**
 * Many workers at once in one process, over real HTTP: none may fail, nothing may stay open, and the memory must come back. Build
 * first; run with `node --expose-gc packages/worker/bench/soak.mjs [--workers 500] [--turns 100]`.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { argv } from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ToolOutput, toolMeta } from "@tsukumo/tool";
import { anthropic } from "../../client/dist/provider/anthropic.js";
import { anthropicTurn, ReplayServer } from "../../testing/dist/index.js";
import { Worker } from "../dist/index.js";

const { values } = parseArgs({
  options: {
    workers: { type: "string", default: "500" },
    turns: { type: "string", default: "100" },
    serve: { type: "boolean", default: false },
  },
});
const workers = Number(values.workers);
const turns = Number(values.turns);

if (values.serve) await serve();
else await soak();

/** In a process of its own: Node accepts one connection in each round of its loop, which 500 workers make long. */
async function serve() {
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
  process.on("message", () => process.send({ active: server.active }));
  process.on("disconnect", () => server.close());
  process.send({ url: server.url });
}

async function soak() {
  const server = fork(fileURLToPath(import.meta.url), ["--serve", ...argv.slice(2)]);
  const [{ url }] = await once(server, "message");
  await round(url, Math.min(50, workers));
  const before = await memory();
  const start = performance.now();
  const failures = await round(url, workers);
  const seconds = (performance.now() - start) / 1000;
  const after = await memory();
  server.send("active");
  const [{ active }] = await once(server, "message");
  server.disconnect();
  console.log(
    `${workers} workers, ${turns} turns each: ${failures.length} failed, ${active} requests open, ` +
      `${((workers * turns) / seconds).toFixed(0)} turns/s, heap ${mb(before)} MB before, ${mb(after)} MB after`,
  );
  for (const failure of failures.slice(0, 3)) console.error(failure);
  process.exitCode = failures.length === 0 && active === 0 && after - before < 20e6 ? 0 : 1;
}

async function round(baseUrl, count) {
  const client = anthropic({ baseUrl, apiKey: "k", model: "m" });
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

async function memory() {
  // Twice: the platform's fetch frees bodies when it hears that their responses are gone.
  globalThis.gc?.();
  await setTimeout(2_000);
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function mb(bytes) {
  return (bytes / 1e6).toFixed(1);
}
