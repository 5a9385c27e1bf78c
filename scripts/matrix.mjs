/** The demo and the runtime packages' tests on other versions of Node, from the npm package `node`. What is built must be up to date. */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSIONS = ["22", "24"];
const PACKAGES = ["tool", "client", "worker", "testing", "template"].map((name) => `packages/${name}/`);
const root = join(dirname(fileURLToPath(import.meta.url)), "..");

for (const version of VERSIONS) {
  console.log(`\nNode ${version}`);
  run(version, ["fixtures/demo/dist/main.js"]);
  run(version, ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot", ...PACKAGES]);
}

function run(version, args) {
  const { status } = spawnSync("npx", ["-y", "-p", `node@${version}`, "--", "node", ...args], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) {
    console.error(`node@${version} ${args.join(" ")} exited with ${status}.`);
    process.exit(1);
  }
}
