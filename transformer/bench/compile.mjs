/**
 * What the compiler costs: `tspc` with the transformer against plain `tsc` on the same tools with the factories that
 * `gen` wrote; growth, memory, watch mode, type instantiations, emitted bytes.
 *
 *   pnpm bench:compile
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT, writeProject } from "./project.mjs";

const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const TSPC = join(ROOT, "node_modules/ts-patch/bin/tspc.js");
const CLI = join(ROOT, "cli/bin/tsukumo.js");
/** Only whether it runs: numbers of one small run say nothing. */
const SMOKE = process.env.SMOKE !== undefined;
const SIZES = SMOKE ? [1] : [1, 100, 1000];
const RUNS = Number(process.env.RUNS ?? (SMOKE ? 1 : 5));

const folder = mkdtempSync(join(tmpdir(), "tsukumo-bench-"));
try {
  const rows = SIZES.map(measure);
  console.log(`TypeScript 6.0.3, median of ${RUNS} runs.\n`);
  table(
    [
      "tools",
      "tsc on the sources",
      "tsc with gen's factories",
      "tspc",
      "tspc / tsc",
      "memory tsc",
      "memory tspc",
      "ratio",
    ],
    rows.map((r) => [
      r.tools,
      ms(r.bare.time),
      ms(r.plain.time),
      ms(r.tspc.time),
      ratio(r.tspc.time / r.plain.time),
      mb(r.plain.memory),
      mb(r.tspc.memory),
      ratio(r.tspc.memory / r.plain.memory),
    ]),
  );
  if (!SMOKE) tellGrowth(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function tellGrowth([one, hundred, thousand]) {
  const late = (thousand.tspc.time - hundred.tspc.time) / 900;
  const early = (hundred.tspc.time - one.tspc.time) / 99;
  console.log(`\n- Each tool more: ${late.toFixed(2)} ms (from 100 to 1,000), ${early.toFixed(2)} ms (from 1 to 100)`);
  console.log(`- Emitted for a tool: ${thousand.bytes} bytes, ${thousand.gzip} gzipped in its file`);
  const { bare, tspc, gen, edit } = thousand;
  console.log(
    `- Type instantiations: ${bare.instantiations} for the plain functions, ${tspc.instantiations} with the transformer`,
  );
  console.log(`- gen, cold: ${ms(gen)}; gen --watch after one edit: ${ms(edit)} (${ratio(edit / gen)})`);
}

function measure(tools) {
  const bare = join(folder, `bare${tools}`);
  const plain = join(folder, `plain${tools}`);
  const patched = join(folder, `patched${tools}`);
  writeProject(bare, tools, { plugin: false });
  writeProject(plain, tools, { plugin: false });
  writeProject(patched, tools, { plugin: true });
  const gens = Array.from({ length: Math.min(RUNS, 3) }, () =>
    time(() => run(CLI, ["gen", join(plain, "src")], plain)),
  );
  // One run of each in turn, so that what else the machine does hits all alike.
  const runs = { bare: [], plain: [], tspc: [] };
  for (let i = 0; i < RUNS; i++) {
    runs.bare.push(compile(TSC, bare));
    runs.plain.push(compile(TSC, plain));
    runs.tspc.push(compile(TSPC, patched));
  }
  const size = bytesOf(patched, bare, tools);
  return {
    tools,
    bare: median(runs.bare),
    plain: median(runs.plain),
    tspc: median(runs.tspc),
    gen: middle(gens),
    edit: tools === 1000 ? watchEdit(plain) : 0,
    ...size,
  };
}

function compile(compiler, project) {
  rmSync(join(project, "dist"), { recursive: true, force: true });
  const start = performance.now();
  const text = run(compiler, ["-p", project, "--extendedDiagnostics"], project);
  const elapsed = performance.now() - start;
  const read = (name) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(text)?.[1] ?? 0);
  return { time: elapsed, memory: read("Memory used") / 1024, instantiations: read("Instantiations") };
}

function bytesOf(patched, bare, tools) {
  const files = readdirSync(join(patched, "dist")).filter((name) => /^tools\d+\.js$/.test(name));
  const total = (project, gzip) =>
    files.reduce(
      (sum, name) =>
        sum +
        (gzip
          ? gzipSync(readFileSync(join(project, "dist", name))).length
          : statSync(join(project, "dist", name)).size),
      0,
    );
  return {
    bytes: Math.round((total(patched, false) - total(bare, false)) / tools),
    gzip: Math.round((total(patched, true) - total(bare, true)) / tools),
  };
}

/** Milliseconds from the write of a source to the write of the generated module. */
function watchEdit(project) {
  const script = join(folder, "watch.mjs");
  copyFileSync(new URL("./watch-edit.mjs", import.meta.url), script);
  return Number(run(script, [CLI, project], project).trim());
}

function run(script, args, cwd) {
  const done = spawnSync(process.execPath, [script, ...args], { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  if (done.status !== 0)
    throw new Error(`${script} ${args.join(" ")} exited with ${done.status}\n${done.stdout}\n${done.stderr}`);
  return done.stdout;
}

function time(action) {
  const start = performance.now();
  action();
  return performance.now() - start;
}

function middle(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function median(results) {
  return Object.fromEntries(Object.keys(results[0]).map((key) => [key, middle(results.map((result) => result[key]))]));
}

function table(head, rows) {
  console.log(`| ${head.join(" | ")} |\n|${"---|".repeat(head.length)}`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
}

function ms(value) {
  return `${Math.round(value)} ms`;
}

function mb(value) {
  return `${Math.round(value)} MB`;
}

function ratio(value) {
  return value.toFixed(2);
}
