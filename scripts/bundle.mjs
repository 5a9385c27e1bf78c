/**
 * Bundles the runtime packages for their tarballs, each entry with the chunks that entries share: importing a hundred small
 * modules costs Node five times as long. `publishConfig.exports` names the bundles; the workspace itself uses `dist`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const PACKAGES = ["tool", "client", "template", "worker"];

export async function bundle() {
  for (const name of PACKAGES) await bundlePackage(join(root, "packages", name));
}

async function bundlePackage(folder) {
  // Not before it is installed.
  const { build } = await import("esbuild");
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.default]));
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: entries,
    outbase: "dist",
    outdir: "bundle",
    bundle: true,
    splitting: true,
    format: "esm",
    // Not minified: users read stack traces, and their own bundlers minify.
    platform: "neutral",
    target: "es2022",
    packages: "external",
    external: ["node:*"],
    sourcemap: false,
    write: false,
    logLevel: "error",
  });
  writeChanged(join(folder, "bundle"), outputFiles);
}

/** Several packs may run at once, so a file that is the same is left alone. */
function writeChanged(folder, files) {
  const wanted = new Set(files.map(({ path }) => path));
  for (const { path, text } of files) {
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !wanted.has(path)) rmSync(path);
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  await bundle();
  for (const name of PACKAGES) console.log(relative(root, join(root, "packages", name, "bundle")));
}
