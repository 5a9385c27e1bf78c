/**
 * What importing the worker and one provider costs beside bare Node, from the tarballs as a user gets them: `pnpm bench:start`.
 * Processes are started in turns.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROUNDS = process.env.SMOKE === undefined ? 81 : 3;
const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tsukumo-start-"));

const PROGRAMS = {
  "bare Node": "",
  "worker + anthropic": 'import "@tsukumo/worker"; import "@tsukumo/client/anthropic";',
};

try {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of ["tool", "client", "worker"]) install(name, packageManager);
  const times = {};
  for (const [name, code] of Object.entries(PROGRAMS)) {
    writeFileSync(file(name), code);
    times[name] = [];
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const name of Object.keys(PROGRAMS)) {
      const start = performance.now();
      const { status } = spawnSync(process.execPath, [file(name)], { stdio: ["ignore", "ignore", "inherit"] });
      if (status !== 0) throw new Error(`${name} exited with ${status}.`);
      times[name].push(performance.now() - start);
    }
  const bare = summary(times["bare Node"]);
  const columns = Object.keys(bare);
  console.log(
    `Milliseconds of ${ROUNDS} starts; in brackets, more than bare Node.\n\n| program | ${columns.join(" | ")} |`,
  );
  console.log(`|---|${"--:|".repeat(columns.length)}`);
  for (const [name, values] of Object.entries(times)) {
    const cells = Object.entries(summary(values)).map(
      ([column, ms]) => `${ms.toFixed(1)} (${(ms - bare[column]).toFixed(1)})`,
    );
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install(name, packageManager) {
  const target = join(folder, "node_modules", "@tsukumo", name);
  mkdirSync(target, { recursive: true });
  must("npx", ["-y", packageManager, "pack", "--pack-destination", folder], join(root, "packages", name));
  must("tar", ["-xzf", join(folder, `tsukumo-${name}-0.1.0.tgz`), "-C", target, "--strip-components=1"], folder);
}

function must(command, args, cwd) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}

function file(name) {
  return join(folder, `${name.replace(/\W+/g, "-")}.mjs`);
}

/** The fastest too: a machine that does something else at times makes starts slower, never faster. */
function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { fastest: sorted[0], median: sorted[Math.floor(sorted.length / 2)] };
}
