/** An agent that can be killed at any moment: `node dist/main.js [SESSION]` begins the session, or goes on with it. */
import { anthropic } from "@tsukumo/client/anthropic";
import { toolDefinitions } from "@tsukumo/tool";
import { Worker } from "@tsukumo/worker";
import { lock, openDatabase } from "./database.js";
import { Invoices } from "./invoices.js";
import { savedSession, sqliteJournal } from "./journal.js";

const TASK = "Send every customer an invoice over what they owe.";

const session = process.argv[2] ?? "december";
const path = process.env.DATABASE ?? "agent.sqlite";
const alone = lock(`${path}.lock`);
const db = openDatabase(path);
const model = anthropic({ model: process.env.MODEL ?? "claude-sonnet-4-5" });
const code = {
  tools: toolDefinitions(new Invoices(db)),
  journal: sqliteJournal(db, session),
  // One after the other, so that a crash leaves one invoice in doubt and not all.
  maxParallelTools: 1,
};

const saved = savedSession(db, session);
const agent = saved === undefined ? Worker.create(model, code) : Worker.resume(model, saved, code);
console.log(`[${saved === undefined ? "A new session" : "Going on with"} ${session}; process ${process.pid}]`);

// Without a prompt, the run does what was left to do: nothing, where it was finished.
for await (const event of agent.stream(saved === undefined ? TASK : undefined)) {
  if (event.type === "text_delta") process.stdout.write(event.text);
  else if (event.type === "text_complete") console.log();
  else if (event.type === "tool_start") console.log(`→ ${event.call.name} ${event.call.arguments}`);
  else if (event.type === "tool_result") console.log(`${event.result.isError ? "✗" : "✓"} ${event.result.content}`);
  else if (event.type === "finished") console.log(`[${event.result.status}]`);
}
db.close();
alone.close();
