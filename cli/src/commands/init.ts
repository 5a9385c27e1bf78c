import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { defineCommand } from "citty";
import { planInit } from "../init/plan.js";
import { record } from "../init/toolchain.js";

export const init = defineCommand({
  meta: { name: "init", description: "Set a project up: tsconfig plugin, scripts, an example tool" },
  args: { path: { type: "positional", required: false, description: "The project's folder; default the current one" } },
  run({ args }) {
    const { files, done, todo, next } = planInit(args.path ?? ".", VERSION);
    for (const [path, text] of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const left = todo.map((line) => `Left to you: ${line}`);
    process.stdout.write(`${[...done, ...left, `Next: ${next}`].join("\n")}\n`);
  },
});

const VERSION = `^${record(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))).version}`;
