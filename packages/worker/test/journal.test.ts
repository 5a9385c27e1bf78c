import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { userMessage } from "@tsukumo/client";
import { afterAll, describe, expect, it } from "vitest";
import { openFileJournal, readFileJournal } from "../examples/file-journal.mjs";
import { readSqliteJournal, sqliteJournal } from "../examples/sqlite-journal.mjs";
import { type Journal, type JournalEntry, replayJournal, Worker } from "../src/index.js";
import { calls, cut, ScriptedClient, text, usage } from "./scripted.js";
import { tool } from "./tools.js";

const folder = mkdtempSync(join(tmpdir(), "tsukumo-journal-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the child until it stands at the place, then kills it as a power cut would. */
async function killedAt(place: string, journal: string, effects: string): Promise<void> {
  const script = fileURLToPath(new URL("./kill/child.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, place, journal, effects], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => {
      child.once("exit", () => resolve());
      child.kill("SIGKILL");
    });
    child.once("exit", (code) => reject(new Error(`the child ended with ${code} before it was there`)));
  }).catch((error: unknown) => {
    if (child.signalCode !== "SIGKILL") throw error;
  });
}

describe("a process that is killed", () => {
  const done = (name: string) => ({ type: "function_call_output", callId: name, output: `${name} is done` });
  const unknown = (name: string) => ({
    type: "function_call_output",
    callId: name,
    output: expect.stringContaining("unknown"),
    isError: true,
  });
  const all = [done("first"), done("look"), done("second")];

  /** Where it is killed; the tools that had effects before; those that run afterwards; what the history holds then. */
  it.each<[string, string[], string[], unknown[]]>([
    ["after the input", [], ["first", "look", "second"], all],
    ["mid-stream", [], ["first", "look", "second"], all],
    ["before the answer is in the history", [], ["first", "look", "second"], all],
    ["before a tool", [], ["first", "look", "second"], all],
    ["inside first", ["first"], ["look", "second"], [unknown("first"), done("look"), done("second")]],
    ["inside look", ["first", "look"], ["look", "second"], all],
    ["before the second is started", ["first", "look"], ["second"], all],
    ["inside second", ["first", "look", "second"], [], [done("first"), done("look"), unknown("second")]],
    ["after the tools", ["first", "look", "second"], [], all],
    ["before the results are in the history", ["first", "look", "second"], [], all],
  ])("%s goes on elsewhere: no tool runs twice, none is lost", async (place, before, after, outputs) => {
    const name = place.replaceAll(" ", "-");
    const path = join(folder, `${name}.jsonl`);
    const effects = join(folder, `${name}.txt`);
    writeFileSync(effects, "");
    await killedAt(place, path, effects);
    const effectsBefore = readFileSync(effects, "utf8").split("\n").slice(0, -1);
    expect(effectsBefore).toEqual(before);

    appendFileSync(path, '{"type":"items","items":[{"ty');
    const snapshot = readFileJournal(path);
    const asked = snapshot.history.some((item) => item.type === "function_call");
    const request = calls(["first", "first", "{}"], ["look", "look", "{}"], ["second", "second", "{}"]);
    const client = new ScriptedClient(...(asked ? [] : [request]), text("Finished."));
    const ran: string[] = [];
    const record = (name: string) => () => {
      ran.push(name);
      return `${name} is done`;
    };
    const journal = openFileJournal(path);
    const worker = Worker.resume(client, snapshot, {
      journal,
      maxParallelTools: 1,
      tools: [
        tool("first", record("first")),
        tool("look", record("look"), "read_only"),
        tool("second", record("second"), "destructive"),
      ].map((definition) => () => {
        const [meta, implementation] = definition();
        return [{ ...meta, description: `Tool: ${meta.name}` }, implementation] as const;
      }),
    });
    expect(worker.state).toBe("cache_locked");
    expect((await worker.resume()).text).toBe("Finished.");
    expect(ran).toEqual(after);
    expect(worker.history[0]).toEqual(userMessage("go"));
    expect(worker.history.filter((item) => item.type === "function_call_output")).toEqual(outputs);
    journal.close();
    expect(readFileJournal(path)).toEqual(worker.snapshot());
  });
});

describe("a journal", () => {
  /** Each step of a session that has a bit of everything. */
  async function busySession(journal: Journal): Promise<Worker> {
    let pause = true;
    const client = new ScriptedClient(
      [...calls(["a", "t", "{}"], ["b", "nope", "{}"]), usage({ inputTokens: 3 })],
      cut([...text("Part. "), ...text("lost", "end_turn", 1).slice(0, 2)]),
      [...text("Rest."), usage({ inputTokens: 4 })],
      text("again"),
    );
    const worker = Worker.create(client, {
      journal,
      conversationId: "c",
      tools: [
        tool("t", (_, context) => {
          context.state.set("seen", 1);
          return "ok";
        }),
      ],
      hooks: { PreToolCall: () => (pause ? { action: "pause" } : undefined) },
    });
    worker.setSystemPrompt("p");
    worker.setConfig({ maxTokens: 5 });
    await worker.run("one");
    pause = false;
    const locked = worker.lock();
    await locked.run("two");
    await locked.unlock().run("three");
    return worker;
  }

  it("replays to the session that wrote it, after any entry", async () => {
    const entries: JournalEntry[] = [];
    const worker = await busySession({
      append: (entry) => {
        entries.push(JSON.parse(JSON.stringify(entry)));
      },
    });
    expect(replayJournal(entries)).toEqual(worker.snapshot());
    expect(worker.snapshot().sharedState).toEqual({ seen: 1 });
    for (let length = 1; length <= entries.length; length++) {
      const snapshot = replayJournal(entries.slice(0, length));
      expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
    }
  });

  it("may be asynchronous: nothing happens before it is written", async () => {
    const written: string[] = [];
    const client = new ScriptedClient(calls(["a", "t", "{}"]), text("ok"));
    const worker = Worker.create(client, {
      journal: {
        append: async (entry) => {
          await new Promise((resolve) => setTimeout(resolve, 1));
          written.push(entry.type === "call" ? `call ${entry.state.stage}` : entry.type);
        },
      },
      tools: [
        tool("t", () => {
          written.push("the tool runs");
          return "ok";
        }),
      ],
    });
    await worker.run("go");
    expect(written).toEqual([
      ...["session", "queue", "items", "turn", "call approved", "call started", "the tool runs", "call finished"],
      ...["items", "turn"],
    ]);
  });

  it.each(["session", "queue", "items", "turn", "call", "shared_state"])(
    "that cannot write %s ends the run, and what it did not write did not happen",
    async (type) => {
      const entries: JournalEntry[] = [];
      let broken = true;
      let ran = 0;
      const client = new ScriptedClient(calls(["a", "t", "{}"]), text("ok"), text("ok"));
      const worker = Worker.create(client, {
        journal: {
          append: (entry) => {
            if (broken && entry.type === type) throw new Error("disk full");
            entries.push(JSON.parse(JSON.stringify(entry)));
          },
        },
        tools: [
          tool("t", (_, context) => {
            context.state.set("ran", ++ran);
          }),
        ],
      });
      await expect(worker.run("go")).rejects.toMatchObject({ code: "JournalFailed", cause: new Error("disk full") });
      if (entries.length > 0) {
        const { sharedState, ...replayed } = replayJournal(entries);
        expect(worker.snapshot()).toMatchObject(replayed);
        expect(sharedState).toEqual({});
      }
      broken = false;
      const result = await (type === "session" || type === "queue" ? worker.run("go") : worker.resume());
      expect(result.status).toBe("finished");
      expect(ran).toBeLessThanOrEqual(1);
      expect(replayJournal(entries)).toEqual(worker.snapshot());
    },
  );

  it("refuses what is no journal", () => {
    expect(() => replayJournal([])).toThrow(expect.objectContaining({ code: "InvalidSnapshot" }));
    expect(() => replayJournal([{ type: "unlock" }])).toThrow(expect.objectContaining({ code: "InvalidSnapshot" }));
  });

  it("fits in a SQLite table", async ({ skip }) => {
    const sqlite: unknown = await import("node:sqlite" as string).catch(() => undefined);
    if (sqlite === undefined) return skip();
    const db = new (Object(sqlite).DatabaseSync)(":memory:");
    const worker = await busySession(sqliteJournal(db, "c"));
    expect(readSqliteJournal(db, "c")).toEqual(worker.snapshot());
  });
});
