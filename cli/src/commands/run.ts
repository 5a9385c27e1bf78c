import { Worker, type WorkerStream } from "@tsukumo/worker";
import { defineCommand } from "citty";
import { approvalHook } from "../approval.js";
import { CliError, UsageError } from "../failure.js";
import { loadTools } from "../load-tools.js";
import { loadProject } from "../project.js";
import { clientFor, providerNames } from "../providers.js";
import { readSession, writeSession } from "../session-file.js";
import { renderRun } from "../terminal.js";
import { ToolSpinner } from "../tool-spinner.js";

/** The exit code of what Ctrl-C ended. */
const INTERRUPTED = 130;

export const run = defineCommand({
  meta: {
    name: "run",
    description: "Ask a model that may call the tools of a folder; the answer streams into the terminal",
  },
  args: {
    path: { type: "positional", required: true, description: "A TypeScript file or a folder of tools" },
    prompt: {
      type: "positional",
      required: false,
      description: "What to ask; with --resume it may be left out to go on",
    },
    provider: {
      type: "string",
      valueHint: "name",
      description: `Whose API to speak: ${providerNames.join(", ")}; default anthropic. The key comes from the usual environment variable`,
    },
    model: { type: "string", valueHint: "name", description: "The model" },
    "base-url": { type: "string", valueHint: "url", description: "A compatible server instead of the provider's own" },
    system: { type: "string", valueHint: "text", description: "The system prompt" },
    "max-turns": { type: "string", valueHint: "n", description: "The most requests; default unlimited" },
    resume: {
      type: "string",
      valueHint: "file",
      description: "Keep the session in this file, and go on with it where it exists",
    },
    yes: { type: "boolean", description: "Run destructive tools without asking" },
    json: { type: "boolean", description: "Print one event as JSON a line" },
  },
  async run({ args }) {
    const maxTurns = wholeNumber(args["max-turns"], "--max-turns");
    const baseUrl = args["base-url"];
    const client = clientFor({
      ...(args.provider === undefined ? {} : { provider: args.provider }),
      ...(args.model === undefined ? {} : { model: args.model }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    });
    const registry = await loadTools(loadProject(args.path));
    const options = {
      tools: registry.toolDefinitions(),
      hooks: {
        PreToolCall: approvalHook({
          yes: args.yes === true,
          interactive: process.stdin.isTTY === true && args.json !== true,
        }),
      },
      ...(maxTurns === undefined ? {} : { maxTurns }),
    };
    const saved = args.resume === undefined ? undefined : readSession(args.resume);
    if (saved === undefined && args.prompt === undefined)
      throw new UsageError('Say what to ask: tsukumo run <dir> "prompt".');
    const worker =
      saved === undefined
        ? Worker.create(client, { ...options, ...(args.system === undefined ? {} : { systemPrompt: args.system }) })
        : Worker.resume(client, saved, options);
    const spinner = new ToolSpinner(process.stdout);
    let interrupts = 0;
    const onInterrupt = (): void => {
      if (++interrupts === 1 && worker.cancel("interrupted")) return;
      // A second Ctrl-C ends the process, whatever the run still waits for.
      spinner.clear();
      process.exit(INTERRUPTED);
    };
    process.on("SIGINT", onInterrupt);
    try {
      const stream = worker.stream(args.prompt);
      await (args.json === true ? printEvents(stream) : renderRun(stream, process.stdout, {}, spinner));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (interrupts === 0) throw new CliError(message, { cause: error });
      process.stderr.write(`${message}\n`);
    } finally {
      process.off("SIGINT", onInterrupt);
      if (args.resume !== undefined) writeSession(args.resume, worker.snapshot());
    }
    // A tool that did not listen to the signal may hold the process for as long as it likes.
    if (interrupts > 0) process.exit(INTERRUPTED);
  },
});

async function printEvents(stream: WorkerStream): Promise<void> {
  for await (const event of stream) process.stdout.write(`${JSON.stringify(event)}\n`);
}

function wholeNumber(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new UsageError(`${option} takes a whole number, 1 or more, not ${text}.`);
  return value;
}
