/** An agent in the terminal: `node dist/main.js "prompt"`, or without a prompt to talk line by line. */
import { toolDefinitions } from "@tsukumo/tool";
import { Worker, WorkerError } from "@tsukumo/worker";
import { Keyboard } from "./keyboard.js";
import { modelFromEnvironment } from "./model.js";
import * as clock from "./tools/clock.js";
import * as files from "./tools/files.js";
import { view } from "./view.js";

const keyboard = new Keyboard(() => {
  // The first Ctrl-C ends the turn; where none is under way, the program.
  if (!agent.cancel("Ctrl-C")) process.exit(130);
});

const agent = Worker.create(modelFromEnvironment(process.env), {
  systemPrompt: "You help with the files of a workspace folder. Be brief.",
  tools: [...toolDefinitions(files), ...toolDefinitions(clock)],
  maxTurns: 30,
  maxToolOutputBytes: 30_000,
  hooks: {
    PreToolCall: async ({ call, meta }) => {
      if (meta.effect !== "destructive") return;
      const answer = await keyboard.ask(`Run ${call.name} ${call.arguments}? [y/N] `);
      if (/^y(es)?$/i.test(answer?.trim() ?? "")) return;
      return { action: "skip", reason: "the user said no" };
    },
  },
}).lock();
agent.subscribe(view((text) => process.stdout.write(text)));

const given = process.argv.slice(2).join(" ");
if (given === "") await talk();
else process.exitCode = (await turn(given)) ? 0 : 1;
keyboard.close();

async function talk(): Promise<void> {
  for (let line = await keyboard.ask("> "); line !== undefined; line = await keyboard.ask("> "))
    if (line.trim() !== "") await turn(line);
}

/** True where the model finished. */
async function turn(prompt: string): Promise<boolean> {
  try {
    const { status } = await agent.run(prompt);
    if (status !== "finished") console.log(`(The turn ended: ${status})`);
    return status === "finished";
  } catch (error) {
    if (!(error instanceof WorkerError)) throw error;
    // The history stays valid, so the conversation can go on.
    console.log(`\n(${error.message})`);
    return false;
  }
}
