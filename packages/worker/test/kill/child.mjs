/**
 * A process that runs a worker until the place where it is to be killed, tells that it is there, and waits.
 * Arguments: the place, the journal's file, the file that tools write their effects to.
 */
import { appendFileSync } from "node:fs";
import { ToolOutput, toolMeta } from "@tsukumo/tool";
import { Worker } from "@tsukumo/worker";
import { openFileJournal } from "../../examples/file-journal.mjs";

const [place, journalPath, effectsPath] = process.argv.slice(2);

/** Never settles, and never lets the process end by itself. */
async function stand() {
  process.stdout.write("here\n");
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}

function tool(name, effect) {
  return () => [
    toolMeta({ name, effect, inputSchema: { type: "object" } }),
    {
      async execute() {
        appendFileSync(effectsPath, `${name}\n`);
        if (place === `inside ${name}`) await stand();
        return new ToolOutput(`${name} is done`);
      },
    },
  ];
}

function block(index, block, deltas, stopReason) {
  return [
    { type: "block_start", index, block },
    ...deltas.map((delta) => ({ type: "block_delta", index, delta })),
    { type: "block_stop", index, ...(stopReason ? { stopReason } : {}) },
  ];
}

const client = {
  provider: "scripted",
  model: "script-1",
  validate: () => [],
  async *stream() {
    const names = ["first", "look", "second"];
    const events = [
      ...block(0, { type: "text" }, [{ type: "text", text: "Working." }]),
      ...names.flatMap((name, at) =>
        block(
          at + 1,
          { type: "tool_use", id: name, name },
          [{ type: "input_json", text: "{}" }],
          at === 2 && "tool_use",
        ),
      ),
    ];
    if (place === "mid-stream") {
      yield events.slice(0, 6);
      await stand();
    }
    yield events;
  },
};

const file = openFileJournal(journalPath);
const journal = {
  async append(entry) {
    if (place === "before the second is started" && entry.type === "call" && entry.callId === "second") {
      if (entry.state.stage === "started") await stand();
    }
    if (place === "before the results are in the history" && entry.type === "items" && !entry.dequeued) await stand();
    if (place === "before the answer is in the history" && entry.type === "turn") await stand();
    file.append(entry);
    if (place === "after the input" && entry.type === "items") await stand();
  },
};

const worker = Worker.create(client, {
  journal,
  maxParallelTools: 1,
  systemPrompt: "Work.",
  tools: [tool("first", "mutating"), tool("look", "read_only"), tool("second", "destructive")],
});
if (place === "before a tool") worker.addHook("PreToolCall", stand);
if (place === "after the tools") worker.addHook("PostToolCall", stand);
await worker.lock().run("go");
