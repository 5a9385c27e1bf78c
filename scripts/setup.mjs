/** Installs what the lock file names and builds what is out of date. Safe to repeat; the second time is quick. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stamp = join(root, "node_modules", ".tsukumo-installed");

install();
await build();

function install() {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "pnpm-lock.yaml")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  const args = [
    "-y",
    packageManager,
    "install",
    "--frozen-lockfile",
    "--prefer-offline",
    "--config.confirm-modules-purge=false",
  ];
  const done = spawnSync("npx", args, { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (done.status !== 0) {
    console.error(`Installing failed: npx ${args.join(" ")} (exit ${done.status ?? done.error?.message}).`);
    process.exit(1);
  }
  writeFileSync(stamp, lock);
}
