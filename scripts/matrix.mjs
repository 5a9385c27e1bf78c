/**
 * The demo and the runtime packages' tests on other versions of Node, and the demo on Bun and Deno, all from npm packages.
 * What is built must be up to date.
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSIONS = ["22", "24"];
const RUNTIMES = [
  ["bun@1.4.5", "bun"],
  ["deno@2.9.6", "deno", "run", "-A"],
];
const DEMO = "fixtures/demo/dist/main.js";
const PACKAGES = ["tool", "client", "worker", "testing", "template"].map((name) => `packages/${name}/`);
const root = join(dirname(fileURLToPath(import.meta.url)), "..");

for (const version of VERSIONS) {
  console.log(`\nNode ${version}`);
  run(`node@${version}`, ["node", DEMO]);
  run(`node@${version}`, ["node", "node_modules/vitest/vitest.mjs", "run", "--reporter=dot", ...PACKAGES]);
}
for (const [name, ...command] of RUNTIMES) {
  console.log(`\n${name}`);
  run(name, [...command, DEMO]);
}

function run(name, command) {
  const { status } = spawnSync("npx", ["-y", "-p", name, "--", ...command], { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    console.error(`${name}: ${command.join(" ")} exited with ${status}.`);
    process.exit(1);
  }
}
