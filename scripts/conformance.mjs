/** Runs the public MCP conformance suite against the fixture server of packages/mcp, for both protocol revisions. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const REVISIONS = ["2026-07-28", "2025-11-25"];
/** The suite needs a newer Node than the packages do. */
const SUITE = ["-y", "-p", "node@22", "-p", "@modelcontextprotocol/conformance@0.2.0-alpha.12", "conformance"];

run(join(root, "node_modules/typescript/bin/tsc"), ["-b", join(root, "packages/mcp")]);
run(join(root, "node_modules/ts-patch/bin/tspc.js"), ["-p", join(root, "packages/mcp/conformance")]);

const server = spawn(process.execPath, [join(root, "packages/mcp/conformance/dist/server.js"), "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
let failed = false;
try {
  const url = await firstLine(server.stdout);
  for (const revision of REVISIONS) failed = !suitePasses(url, revision) || failed;
} finally {
  server.kill("SIGTERM");
}
process.exit(failed ? 1 : 0);

/** True where no check failed, those of scenarios that the suite does not score included. */
function suitePasses(url, revision) {
  const results = mkdtempSync(join(tmpdir(), "tsukumo-conformance-"));
  try {
    const args = [...SUITE, "server", "--url", url, "--requirements", revision, "-o", results];
    const done = spawnSync("npx", args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
    const checks = checksIn(results);
    const failures = checks.filter(({ status }) => status === "FAILURE");
    const count = (status) => checks.filter((check) => check.status === status).length;
    console.log(
      `${revision}: ${count("SUCCESS")} passed, ${failures.length} failed, ${count("WARNING")} warnings, ${count("SKIPPED")} skipped (exit ${done.status})`,
    );
    for (const { scenario, id, status, errorMessage } of checks)
      if (status === "FAILURE" || status === "WARNING")
        console.log(`  ${status} ${scenario} ${id}: ${errorMessage ?? ""}`);
    if (done.status !== 0 || checks.length === 0) console.log(`${done.stdout}\n${done.stderr}`);
    return done.status === 0 && failures.length === 0 && checks.length > 0;
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

function checksIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("checks.json"))
    .flatMap((path) =>
      JSON.parse(readFileSync(join(folder, path), "utf8")).map((check) => ({ scenario: dirname(path), ...check })),
    );
}

function firstLine(stream) {
  return new Promise((resolve, reject) => {
    stream.setEncoding("utf8");
    stream.once("data", (text) => resolve(text.split("\n")[0]));
    stream.once("end", () => reject(new Error("The fixture server did not start.")));
  });
}

function run(script, args) {
  const done = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
