/**
 * How fast bytes become events: `pnpm bench:stream [--quick] [scheme …]`. Prints Markdown tables for each scheme: MB/s by
 * size of the chunks, the median of the rounds; in brackets, times what JSON.parse behind a general framer does.
 * Needs `npm install --prefix packages/client/bench` once, and `node --expose-gc` for the heap column.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CONTENDERS } from "./contenders.mjs";
import { STREAMS } from "./streams.mjs";

const CHUNK_SIZES = [64, 1400, 16_384];
const args = process.argv.slice(2);
const quick = args.includes("--quick");
const only = args.find((arg) => arg.startsWith("--only="))?.slice(7);
const wanted = args.filter((arg) => !arg.startsWith("--"));
const SMOKE = process.env.SMOKE !== undefined;
const COUNT = SMOKE ? 50 : quick ? 1500 : 6000;
/** Slow contenders get fewer rounds. CPU time, so that other work on the machine counts less. */
const SECONDS = SMOKE ? 0 : quick ? 0.15 : 0.6;
/** Before that, code is still being compiled. */
const WARM_UP_SECONDS = SECONDS / 2;
/** What the others are compared with. */
const PEERS = ["eventsource-parser + JSON.parse", "split lines + JSON.parse"];

function chunksOf(bytes, size) {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

async function time(contender, scheme, inputs) {
  let events = 0;
  const times = [];
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  while (times.length < 3 || elapsed() < WARM_UP_SECONDS + SECONDS) {
    events = 0;
    const isWarm = elapsed() >= WARM_UP_SECONDS;
    const before = process.cpuUsage();
    for (const chunks of inputs) events += await contender.run(scheme, chunks);
    const { user, system } = process.cpuUsage(before);
    if (isWarm) times.push(user + system);
  }
  return { seconds: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] / 1e6, events };
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
  const rows = [];
  for (const contender of CONTENDERS) {
    if (recorded && contender.recordings === false) continue;
    if (only !== undefined && !contender.name.includes(only)) continue;
    if (contender.schemes !== undefined && !contender.schemes.includes(scheme)) continue;
    rows.push(await measure(contender, scheme, inputs, bytes));
  }
  const peer = rows.find(({ name }) => PEERS.includes(name));
  console.log(`\n#### ${title}\n`);
  console.log(`| | ${CHUNK_SIZES.map((size) => `${size} B`).join(" | ")} | events/s at 1400 B | heap B/event |`);
  console.log(`|---|${CHUNK_SIZES.map(() => "--:").join("|")}|--:|--:|`);
  for (const { name, speeds, rate, memory } of rows) {
    const cells = speeds.map((speed, i) => {
      const shown = speed.toFixed(speed > 10 ? 0 : 1);
      return peer === undefined ? shown : `${shown} (${(speed / peer.speeds[i]).toFixed(2)})`;
    });
    console.log(`| ${name} | ${cells.join(" | ")} | ${rate} | ${memory} |`);
  }
}

async function measure(contender, scheme, inputs, bytes) {
  const speeds = [];
  let rate = "";
  let memory = "";
  for (const size of CHUNK_SIZES) {
    const cut = inputs.map((input) => chunksOf(input, size));
    const { seconds, events } = await time(contender, scheme, cut);
    speeds.push(bytes / seconds / 1e6);
    if (size !== 1400) continue;
    if (events > 0) rate = Math.round(events / seconds).toLocaleString("en");
    const perEvent = await heap(contender, scheme, cut);
    if (perEvent !== undefined && events > 0) memory = Math.round(perEvent).toLocaleString("en");
  }
  return { name: contender.name, speeds, rate, memory };
}

function recordings(scheme) {
  const folder = fileURLToPath(new URL(`../../../../shared/corpus/${scheme}/`, import.meta.url));
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((file) => readFileSync(folder + file))
    .filter((bytes) => bytes.includes("\n"));
}

for (const [scheme, build] of Object.entries(STREAMS)) {
  if (wanted.length > 0 && !wanted.includes(scheme)) continue;
  const stream = new TextEncoder().encode(build(COUNT));
  await table(`${scheme}: one answer of ${(stream.length / 1e6).toFixed(1)} MB`, scheme, [stream]);
  const recorded = SMOKE ? [] : recordings(scheme);
  if (recorded.length > 0)
    await table(`${scheme}: ${recorded.length} recordings, one after the other`, scheme, recorded, true);
}
