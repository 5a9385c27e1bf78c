/** The `tsukumo` command. A new sub-command is a file in commands/ and a line here. */
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { type ArgsDef, type CommandDef, defineCommand, renderUsage, runCommand } from "citty";
import { CliError, UsageError } from "./failure.js";

const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

/** Loaded when asked for: the compiler alone takes longer to load than most commands to run. */
const commands: Readonly<Record<string, () => Promise<CommandDef<ArgsDef>>>> = {
  gen: async () => erase((await import("./commands/gen.js")).gen),
  schema: async () => erase((await import("./commands/schema.js")).schema),
  call: async () => erase((await import("./commands/call.js")).call),
  decode: async () => erase((await import("./commands/decode.js")).decode),
  encode: async () => erase((await import("./commands/encode.js")).encode),
  run: async () => erase((await import("./commands/run.js")).run),
  serve: async () => erase((await import("./commands/serve.js")).serve),
  lint: async () => erase((await import("./commands/lint.js")).lint),
  cost: async () => erase((await import("./commands/cost.js")).cost),
  diff: async () => erase((await import("./commands/diff.js")).diff),
  init: async () => erase((await import("./commands/init.js")).init),
};

const root = defineCommand({
  meta: { name: "tsukumo", version, description: "Turn TypeScript functions into tools for language models" },
  subCommands: commands,
});

/** citty's command type varies in its arguments, which a table of commands cannot name. */
function erase<T extends ArgsDef>(command: CommandDef<T>): CommandDef<ArgsDef> {
  return command as unknown as CommandDef<ArgsDef>;
}

async function main(argv: readonly string[]): Promise<void> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return help(root, process.stdout);
  if (name === "--version" || name === "-v") return void process.stdout.write(`${version}\n`);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined)
    throw new UsageError(`There is no command ${name}. Known are: ${Object.keys(commands).join(", ")}.`);
  const command = await load();
  const end = rest.indexOf("--");
  const flags = end === -1 ? rest : rest.slice(0, end);
  if (flags.includes("--help") || flags.includes("-h")) return help(command, process.stdout);
  refuseUnknownOptions(command, flags);
  await runCommand(command, { rawArgs: [...rest] });
}

async function help(command: CommandDef<ArgsDef>, stream: NodeJS.WriteStream): Promise<void> {
  const text = await renderUsage(command, command === root ? undefined : root);
  stream.write(`${stream.isTTY ? text : stripVTControlCharacters(text)}\n`);
}

/** citty takes any option; a mistyped one must not pass in silence. */
function refuseUnknownOptions(command: CommandDef<ArgsDef>, flags: readonly string[]): void {
  const args = typeof command.args === "object" && !(command.args instanceof Promise) ? command.args : {};
  const known = new Set<string>();
  for (const [name, definition] of Object.entries(args)) {
    if (definition.type === "positional") continue;
    known.add(`--${name}`).add(`--no-${name}`);
    const alias = "alias" in definition ? definition.alias : undefined;
    for (const short of typeof alias === "string" ? [alias] : (alias ?? [])) known.add(`-${short}`);
  }
  for (const flag of flags) {
    const option = flag.split("=")[0] ?? flag;
    // A lone dash is standard input, and a dash with a digit a number.
    if (!/^--?[a-zA-Z]/.test(option) || known.has(option)) continue;
    throw new UsageError(
      `Unknown option ${option}. Known are: ${[...known].filter((o) => !o.startsWith("--no-")).join(", ")}.`,
    );
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const usage = error instanceof Error && error.name === "CLIError";
  // Of the system (a folder that is missing, a file that may not be written), the message says it all.
  const system = error instanceof Error && "syscall" in error;
  if (error instanceof CliError || usage || system) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = error instanceof CliError ? error.exitCode : usage ? 2 : 1;
}
