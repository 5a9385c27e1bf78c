import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { MetaJson } from "@tsukumo/transformer/compiler";
import { defineCommand } from "citty";
import { CliError, UsageError } from "../failure.js";
import { loadProject } from "../project.js";
import { CHANGE_KINDS, type Change, type ChangeKind, diffTools } from "../schema-diff.js";
import { toolMetas } from "../tool-metas.js";

const KINDS: readonly string[] = CHANGE_KINDS;
const FAIL_ON: readonly string[] = [...KINDS, "none"];

export const diff = defineCommand({
  meta: { name: "diff", description: "Show what changed since the lock file: breaking, compatible, descriptions only" },
  args: {
    path: { type: "positional", required: true, description: "A TypeScript file or a folder of tools" },
    lock: { type: "string", valueHint: "file", description: "The lock file; default <dir>/tools.lock.json" },
    write: { type: "boolean", description: "Write the lock file after showing the changes" },
    "fail-on": {
      type: "string",
      valueHint: "kind",
      description: `The least change that makes the exit code 1: ${FAIL_ON.join(", ")}; default breaking`,
    },
    json: { type: "boolean", description: "Print [{kind, tool, path, message}]" },
  },
  run({ args }) {
    const failOn = args["fail-on"] ?? "breaking";
    if (!FAIL_ON.includes(failOn)) throw new UsageError(`--fail-on takes ${FAIL_ON.join(", ")}, not ${failOn}.`);
    const file = resolve(args.lock ?? join(loadProject(args.path).directory, "tools.lock.json"));
    const now = toolMetas(args.path, { warnings: false }).sort((a, b) => (a.name < b.name ? -1 : 1));
    const shown = relative(process.cwd(), file);
    if (!existsSync(file) && args.write !== true)
      throw new CliError(`There is no lock file ${shown}. Write the first one with --write.`);
    const before = existsSync(file) ? readLock(file) : now;
    const changes = diffTools(before, now);
    if (args.json === true) process.stdout.write(`${JSON.stringify(changes, undefined, 2)}\n`);
    else process.stdout.write(text(changes));
    if (args.write === true) {
      writeFileSync(file, `${JSON.stringify({ version: 1, tools: now }, undefined, 2)}\n`);
      process.stderr.write(`${shown}: ${now.length} tools\n`);
      return;
    }
    const limit = KINDS.indexOf(failOn);
    const worst = changes.filter(({ kind }) => CHANGE_KINDS.indexOf(kind) <= limit);
    if (worst.length > 0)
      throw new CliError(
        `${worst.length} of ${changes.length} changes are ${failOn} or worse. Accept them with --write.`,
      );
  },
});

function readLock(file: string): MetaJson[] {
  try {
    const { version, tools } = JSON.parse(readFileSync(file, "utf8"));
    if (version === 1 && Array.isArray(tools)) return tools;
  } catch (cause) {
    throw new CliError(`The lock file ${file} is not valid JSON. Restore it, or write it again with --write.`, {
      cause,
    });
  }
  throw new CliError(`The lock file ${file} has an unknown form. Write it again with --write.`);
}

function text(changes: readonly Change[]): string {
  if (changes.length === 0) return "No changes.\n";
  const part = (kind: ChangeKind): string => {
    const lines = changes
      .filter((change) => change.kind === kind)
      .map(({ tool, path, message }) => `  ${tool}${path === "" ? "" : ` ${path}`}: ${message}\n`);
    return lines.length === 0 ? "" : `${kind}\n${lines.join("")}`;
  };
  return CHANGE_KINDS.map(part).join("");
}
