/**
 * How fast bytes become events: `pnpm bench:stream [--quick] [scheme …]`. Prints a Markdown table for each scheme.
 * Needs `npm install --prefix packages/client/bench` once, and `node --expose-gc` for the heap column.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { CONTENDERS } from "./contenders.mjs";
import { STREAMS } from "./streams.mjs";

const CHUNK_SIZES = [64, 1400, 16_384];
const args = process.argv.slice(2);
const quick = args.includes("--quick");
const only = args.find((arg) => arg.startsWith("--only="))?.slice(7);
const wanted = args.filter((arg) => !arg.startsWith("--"));
const COUNT = quick ? 1500 : 6000;
/** Slow contenders get fewer rounds; each reports its best. CPU time, so that other work on the machine counts less. */
const SECONDS = quick ? 0.15 : 0.6;

function chunksOf(bytes, size) {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

async function time(contender, scheme, inputs) {
  let events = 0;
  let best = Number.POSITIVE_INFINITY;
  const until = performance.now() + SECONDS * 1000;
  for (let round = 0; round < 3 || performance.now() < until; round++) {
    events = 0;
    const start = process.cpuUsage();
    for (const chunks of inputs) events += await contender.run(scheme, chunks);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, user + system);
  }
  return { seconds: best / 1e6, events };
}

/** Bytes that one run leaves to the garbage collector, per event. */
async function heap(contender, scheme, inputs) {
  if (globalThis.gc === undefined) return undefined;
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  let events = 0;
  for (const chunks of inputs) events += await contender.run(scheme, chunks);
  const used = process.memoryUsage().heapUsed - before;
  return used > 0 && events > 0 ? used / events : undefined;
}

async function table(title, scheme, inputs, recorded = false) {
  const bytes = inputs.reduce((sum, input) => sum + input.length, 0);
  console.log(`\n### ${title}\n`);
  console.log(`| | ${CHUNK_SIZES.map((size) => `${size} B: MB/s`).join(" | ")} | events/s at 1400 B | heap B/event |`);
  console.log(`|---|${CHUNK_SIZES.map(() => "--:").join("|")}|--:|--:|`);
  for (const contender of CONTENDERS) {
    if (recorded && contender.recordings === false) continue;
    if (only !== undefined && !contender.name.includes(only)) continue;
    if (contender.schemes !== undefined && !contender.schemes.includes(scheme)) continue;
    const speeds = [];
    let rate = "";
    let memory = "";
    for (const size of CHUNK_SIZES) {
      const cut = inputs.map((input) => chunksOf(input, size));
      const { seconds, events } = await time(contender, scheme, cut);
      speeds.push((bytes / seconds / 1e6).toFixed(bytes / seconds > 1e7 ? 0 : 1));
      if (size !== 1400) continue;
      if (events > 0) rate = Math.round(events / seconds).toLocaleString("en");
      const perEvent = await heap(contender, scheme, cut);
      if (perEvent !== undefined && events > 0) memory = Math.round(perEvent).toLocaleString("en");
    }
    console.log(`| ${contender.name} | ${speeds.join(" | ")} | ${rate} | ${memory} |`);
  }
}

function recordings(scheme) {
  const folder = fileURLToPath(new URL(`../../../../shared/corpus/${scheme}/`, import.meta.url));
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((file) => readFileSync(folder + file))
    .filter((bytes) => bytes.includes("\n"));
}

console.log(
  `Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, CPU time, best of several rounds, one process.`,
);
for (const [scheme, build] of Object.entries(STREAMS)) {
  if (wanted.length > 0 && !wanted.includes(scheme)) continue;
  const stream = new TextEncoder().encode(build(COUNT));
  await table(`${scheme}: one answer of ${(stream.length / 1e6).toFixed(1)} MB`, scheme, [stream]);
  const recorded = recordings(scheme);
  if (recorded.length > 0)
    await table(`${scheme}: ${recorded.length} recordings, one after the other`, scheme, recorded, true);
}
