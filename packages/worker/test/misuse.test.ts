/** Hooks, subscribers and options that do what their types forbid, or the right thing at the worst moment. */
import { functionCallOutput, userMessage } from "@tsukumo/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type JournalEntry, replayJournal, Worker, type WorkerOptions, type WorkerWarning } from "../src/index.js";
import { calls, ScriptedClient, text } from "./scripted.js";
import { tool } from "./tools.js";

const rejections: unknown[] = [];
const onRejection = (reason: unknown) => rejections.push(reason);
beforeEach(() => {
  rejections.length = 0;
  process.on("unhandledRejection", onRejection);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", onRejection);
  expect(rejections).toEqual([]);
});

/** A worker whose model calls `t` once and then answers; `ran` counts the runs of `t`. */
function scene(options: WorkerOptions) {
  const ran = { times: 0 };
  const warnings: WorkerWarning[] = [];
  const client = new ScriptedClient(calls(["a", "t", "{}"]), text("done"));
  const t = tool("t", () => {
    ran.times += 1;
    return "x".repeat(100);
  });
  const worker = Worker.create(client, { onWarning: (warning) => warnings.push(warning), ...options, tools: [t] });
  const output = () => worker.history.find((item) => item.type === "function_call_output");
  return { worker, client, ran, warnings, output };
}

/** What a program without types may give. */
function untyped<T>(value: unknown): T {
  return value as T;
}

describe("a cancel just before the tool runs", () => {
  it("in onToolStart", async () => {
    const { worker, ran, output } = scene({});
    worker.subscribe({ onToolStart: () => void worker.cancel("stop") });
    await expect(worker.run("go")).rejects.toMatchObject({ code: "Cancelled" });
    expect(ran.times).toBe(0);
    expect(output()).toMatchObject({ isError: true });
  });

  it("while the journal writes", async () => {
    const { worker, ran } = scene({
      toolTimeoutMs: 1000,
      journal: {
        append: async (entry: JournalEntry) => {
          if (entry.type === "call" && entry.state.stage === "started") worker.cancel("stop");
        },
      },
    });
    await expect(worker.run("go")).rejects.toMatchObject({ code: "Cancelled" });
    expect(ran.times).toBe(0);
  });
});

it.each([2 ** 31, Number.POSITIVE_INFINITY])("toolTimeoutMs %d does not fire at once", async (toolTimeoutMs) => {
  const client = new ScriptedClient(calls(["a", "t", "{}"]), text("done"));
  const slow = tool("t", () => new Promise((resolve) => setTimeout(resolve, 20, "ok")));
  const worker = Worker.create(client, { toolTimeoutMs, tools: [slow] });
  await worker.run("go");
  expect(worker.history.at(-2)).toMatchObject({ output: "ok" });
});

it("items that the history refuses are not written to the journal", async () => {
  const entries: JournalEntry[] = [];
  const { worker } = scene({
    journal: { append: (entry) => void entries.push(structuredClone(entry)) },
    hooks: {
      OnTurnEnd: () => untyped({ action: "continue_with_messages", messages: [functionCallOutput("no", "x")] }),
    },
  });
  await expect(worker.run("go")).rejects.toMatchObject({ code: "InvalidHistory" });
  expect(replayJournal(entries).history).toEqual(worker.history);
});

it("an append that fails leaves the history as it was", async () => {
  const { worker } = scene({
    hooks: {
      OnTurnEnd: () => untyped({ action: "continue_with_messages", messages: [userMessage("ok"), { type: "alien" }] }),
    },
  });
  await expect(worker.run("go")).rejects.toMatchObject({ code: "InvalidHistory" });
  expect(worker.history).not.toContainEqual(userMessage("ok"));
});

it.each([[{ type: "alien" }], [undefined]])(
  "input that is no message (%j) does not stand before later runs",
  async (item) => {
    const client = new ScriptedClient(text("done"));
    const worker = Worker.create(client);
    const remove = worker.addHook("OnPromptSubmit", (context) => {
      context.item = untyped(item);
    });
    await expect(worker.run("go")).rejects.toMatchObject({ code: "InvalidHistory" });
    remove();
    expect(await worker.run("go")).toMatchObject({ status: "finished", text: "done" });
  },
);

describe("a call is answered", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["gives no text", () => untyped<string>(undefined)],
  ])("when truncate %s", async (_, truncate) => {
    const { worker, warnings, output } = scene({ maxToolOutputBytes: 10, truncate });
    expect(await worker.run("go")).toMatchObject({ status: "finished" });
    expect(output()).toMatchObject({ isError: true, output: expect.stringContaining("could not be shortened") });
    expect(warnings).toMatchObject([{ code: "truncate_failed" }]);
  });

  it.each([[undefined], [{ content: 1 }]])("when a PostToolCall hook sets the result to %j", async (result) => {
    const { worker, output } = scene({
      hooks: {
        PostToolCall: (context) => {
          context.result = untyped(result);
        },
      },
    });
    await expect(worker.run("go")).rejects.toMatchObject({ code: "HookFailed" });
    expect(output()).toMatchObject({ isError: true, output: expect.stringContaining("withheld") });
  });
});

describe("an action of another point fails the run", () => {
  const word = (action: string) => () => untyped<undefined>({ action, reason: "r" });
  it.each<[string, WorkerOptions["hooks"]]>([
    ["OnPromptSubmit", { OnPromptSubmit: word("abort") }],
    ["PreLlmRequest", { PreLlmRequest: word("pause") }],
    ["PreToolCall", { PreToolCall: word("cancel") }],
    ["PostToolCall", { PostToolCall: word("skip") }],
    ["OnTurnEnd", { OnTurnEnd: word("pause") }],
    ["OnTextDelta", { OnTextDelta: word("cancel") }],
    ["OnStreamComplete", { OnStreamComplete: word("cancel") }],
  ])("%s", async (point, hooks = {}) => {
    const { worker } = scene({ hooks });
    await expect(worker.run("go")).rejects.toMatchObject({
      code: "HookFailed",
      message: expect.stringContaining(point),
    });
  });
});

it("what async subscribers reject is a warning", async () => {
  const { worker, warnings } = scene({});
  const fails = async () => Promise.reject(new Error("late"));
  worker.subscribe({ onToolStart: fails, onTextBlock: fails, onTextComplete: fails, onTurnEnd: fails });
  await worker.run("go");
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(["subscriber_failed"]));
  expect(warnings.length).toBeGreaterThanOrEqual(5);
});

it("a run that is begun by a warning finds the first one running", async () => {
  let second: Promise<unknown> | undefined;
  const client = new ScriptedClient(text("one"), text("two"));
  client.warnings = [{ option: "topK", message: "no" }];
  const worker: Worker = Worker.create(client, {
    onWarning: () => {
      second ??= worker.run("second").catch((error: unknown) => error);
    },
  });
  await worker.run("first");
  expect(await second).toMatchObject({ code: "Busy" });
});

it("two iterations of one stream share its events, and both end", async () => {
  const { worker } = scene({});
  const stream = worker.stream("go");
  const read = async () => {
    let last = "";
    for await (const event of stream) last = event.type;
    return last;
  };
  expect(await Promise.all([read(), read()])).toEqual(["finished", "finished"]);
});

it("a thrown value without a text is told all the same", async () => {
  const { worker } = scene({
    hooks: {
      OnPromptSubmit: () => {
        throw Object.create(null);
      },
    },
  });
  await expect(worker.run("go")).rejects.toMatchObject({ code: "HookFailed" });
});

it("an OnAbort hook that never settles is left behind, with a warning", async () => {
  vi.useFakeTimers();
  try {
    const { worker, warnings } = scene({
      hooks: {
        OnPromptSubmit: () => ({ action: "cancel", reason: "no" }),
        OnAbort: () => untyped(new Promise(() => undefined)),
      },
    });
    const run = expect(worker.run("go")).rejects.toMatchObject({ code: "Aborted" });
    await vi.advanceTimersByTimeAsync(5000);
    await run;
    expect(warnings).toMatchObject([{ code: "hook_failed", message: expect.stringContaining("5000 ms") }]);
  } finally {
    vi.useRealTimers();
  }
});
