/** Builds the packages (tsc -b), their bundles and the demo's tools (tspc). Incremental: what is up to date is not built again. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

export async function build() {
  run("node_modules/typescript/bin/tsc", ["-b", "tsconfig.json"]);
  await bundle();
  if (existsSync(join(root, "fixtures/demo/tsconfig.json")))
    run("node_modules/ts-patch/bin/tspc.js", ["-p", "fixtures/demo"]);
}

function run(script, args) {
  const done = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

if (argv[1] === fileURLToPath(import.meta.url)) await build();
