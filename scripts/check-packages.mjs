/** Packs what is published and looks at it as npm's tools do: publint, are-the-types-wrong, and knip over the sources. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const packs = mkdtempSync(join(tmpdir(), "tsukumo-packs-"));
let failed = false;

try {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const published = ["./packages/*", "./transformer", "./cli"].flatMap((path) => ["--filter", path]);
  check("pnpm pack", "npx", ["-y", packageManager, "-r", ...published, "pack", "--pack-destination", packs]);
  for (const name of readdirSync(packs)) {
    const tarball = join(packs, name);
    check(`publint ${name}`, "npx", ["publint", "--strict", tarball]);
    // The packages are ESM: what CommonJS and old resolution make of them is no promise.
    check(`attw ${name}`, "npx", ["attw", tarball, "--profile", "esm-only"]);
  }
  check("knip", "npx", ["knip", "--no-config-hints"]);
} finally {
  rmSync(packs, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

/** Says one line where all is well, and everything that the tool said where it is not. */
function check(title, command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${title}`);
  if (status === 0) return;
  failed = true;
  console.log(stdout + stderr);
}
