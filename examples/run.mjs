/**
 * Builds an example and starts it: `npm run example NAME [-- arguments]`. Where MODEL is not set, a scripted model
 * answers over HTTP on this machine, so that every example runs without a key. BUILT says that it is built already.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { argv, env, execPath, platform } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const names = readdirSync(here).filter((name) => existsSync(`${here}${name}/package.json`));
const [name, ...args] = argv.slice(2);

if (name === undefined || !names.includes(name)) {
  console.error(`Name an example: ${names.join(", ")}.`);
  process.exit(2);
}

const folder = `${here}${name}`;
const model = await scriptedModel();
const inFolder = { cwd: folder, shell: platform === "win32", env: { ...env, ...model?.env } };
if (!env.BUILT) {
  // Standard output is the example's own.
  const { status } = spawnSync("npm", ["run", "--silent", "build"], { ...inFolder, stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

// Not through npm and a shell: they do not hand signals on.
const { scripts } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
const [program, ...words] = scripts.start.split(" ");
const command = program === "node" ? execPath : `${folder}/node_modules/.bin/${program}`;
const child = spawn(command, [...words, ...args], { ...inFolder, stdio: "inherit" });
// Ctrl-C and stop are for the example; this process ends after it.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", async (code, signal) => {
  await model?.server.close();
  process.exit(code ?? (signal === "SIGINT" ? 130 : 1));
});

/** Undefined where a real model is asked, or the example needs none. */
async function scriptedModel() {
  const script = `${folder}/scripted-model.mjs`;
  if (env.MODEL || !existsSync(script)) return undefined;
  const { start } = await import(pathToFileURL(script).href);
  const server = await start();
  console.error("(MODEL is not set: a scripted model answers. Its answers are fixed; the tools are real.)");
  const url = server.url;
  return { server, env: { PROVIDER: "anthropic", MODEL: "scripted", BASE_URL: url, ANTHROPIC_BASE_URL: url } };
}
