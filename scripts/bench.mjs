/**
 * Runs the benchmarks and writes what they print into docs/benchmarks.md, between the marks of each: `pnpm bench [name …]`.
 * `--smoke` only sees whether they run, with the least work that they can do, and writes nothing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { dirname, join } from "node:path";
import { argv, execPath, exit, version } from "node:process";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const PAGE = join(root, "docs/benchmarks.md");

const SCHEMES = ["openai-chat", "anthropic", "openai-responses", "gemini", "ollama"];
/** A process for each of `runs`; `smoke` is put in their place with --smoke. `peers` has the contenders' versions. */
const BENCHMARKS = {
  compile: { runs: [["transformer/bench/compile.mjs"]] },
  validate: { runs: [["transformer/bench/validate.mjs"]] },
  stream: {
    node: ["--expose-gc", "--max-semi-space-size=256"],
    runs: SCHEMES.map((scheme) => ["packages/client/bench/stream.mjs", scheme]),
    peers: "packages/client/bench",
  },
  loop: {
    runs: [["packages/worker/bench/loop.mjs"]],
    smoke: [["packages/worker/bench/loop.mjs", "--turns", "20", "--runs", "1"]],
    peers: "packages/worker/bench",
  },
  soak: {
    node: ["--expose-gc"],
    runs: [["packages/worker/bench/soak.mjs"]],
    smoke: [["packages/worker/bench/soak.mjs", "--workers", "5", "--turns", "3"]],
  },
  start: { runs: [["packages/worker/bench/cold-start.mjs"]] },
  mcp: {
    // The platform's fetch gives each request of a client the same signal.
    node: ["--disable-warning=MaxListenersExceededWarning"],
    runs: [["packages/mcp/bench/calls.mjs", "2000", "7"]],
    smoke: [["packages/mcp/bench/calls.mjs", "20", "1"]],
    peers: "packages/mcp/bench",
  },
  output: { runs: [["packages/tool/bench/output.mjs"]] },
};

const smoke = argv.includes("--smoke");
const asked = argv.slice(2).filter((argument) => !argument.startsWith("--"));
const unknown = asked.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${Object.keys(BENCHMARKS).join(", ")}.`);
  exit(2);
}

for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const start = performance.now();
  if (benchmark.peers !== undefined) installPeers(benchmark.peers);
  const printed = outputOf(name, benchmark);
  console.log(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
  if (!smoke) writeSection(name, [printed, versions(benchmark.peers)].filter((part) => part !== "").join("\n\n"));
}

function outputOf(name, { node = [], runs, smoke: small = runs }) {
  const texts = (smoke ? small : runs).map((run) => {
    const { status, stdout } = spawnSync(execPath, [...node, ...run], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...(smoke ? { SMOKE: "1" } : {}) },
    });
    if (status !== 0 || stdout.trim() === "") throw new Error(`${name} exited with ${status}.\n${stdout}`);
    return stdout.trim();
  });
  return texts.join("\n\n");
}

/** Outside of the workspace, so that nobody has to install them who does not compare. */
function installPeers(folder) {
  const { dependencies } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  if (Object.keys(dependencies).every((name) => existsSync(join(root, folder, "node_modules", name)))) return;
  const flags = ["--no-audit", "--no-fund", "--no-package-lock"];
  const { status } = spawnSync("npm", ["install", "--prefix", folder, ...flags], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`npm install --prefix ${folder} exited with ${status}.`);
}

function versions(folder) {
  if (folder === undefined) return "";
  const { dependencies } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const list = Object.entries(dependencies).map(([name, exact]) => `${name} ${exact}`);
  return `With ${list.join(", ")}.`;
}

function writeSection(name, text) {
  const page = readFileSync(PAGE, "utf8");
  const begin = `<!-- bench ${name} -->`;
  const section = new RegExp(`${begin}[^]*?<!-- end -->`);
  if (!section.test(page)) throw new Error(`${PAGE} has no section for ${name}: ${begin} … <!-- end -->`);
  writeFileSync(
    PAGE,
    page.replace(section, () => `${begin}\n\n${text}\n\n${machine()}\n\n<!-- end -->`),
  );
}

/** In each section, because they can be repeated one by one. */
function machine() {
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  const memory = Math.round(totalmem() / 2 ** 30);
  return `_${day}, Node ${version}, ${cpu?.model.trim() ?? "unknown processor"}, ${cpus().length} cores, ${memory} GB, ${type()} ${release()}_`;
}
