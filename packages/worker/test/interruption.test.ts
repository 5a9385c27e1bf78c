import { type Event, userMessage } from "@tsukumo/client";
import { describe, expect, it } from "vitest";
import { Worker } from "../src/index.js";
import { BrokenStream, call, calls, cut, ScriptedClient, type Turn, text, thinking, usage } from "./scripted.js";
import { Gate, tool } from "./tools.js";

const open = (index: number, part: string): Event[] => [
  { type: "block_start", index, block: { type: "text" } },
  { type: "block_delta", index, delta: { type: "text", text: part } },
];

describe("an interrupted stream", () => {
  const kept = [...thinking("hm", 0), ...text("Finished. ", "end_turn", 1)];
  const lost = [...thinking("hm again", 2), ...call("c", "t", "{}", 3), ...open(4, "half a")];
  const afterwards = [
    userMessage("go"),
    { type: "reasoning", text: "hm", reasoning: { scheme: "scripted", signature: "sig of hm" } },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Finished. " }] },
  ];
  const errorEvent: Event = { type: "error", code: "overloaded", message: "try later" };

  it.each<[string, Turn, string]>([
    ["a broken connection", cut([...kept, ...lost]), "StreamBroken"],
    ["an error event", [...kept, ...lost, errorEvent], "ModelError"],
    ["a stream that ends inside a block", [...kept, ...lost], "StreamBroken"],
    ["an aborted block", [...kept, ...lost, { type: "block_abort", index: 4, reason: "eof" }], "StreamBroken"],
    ["a failed status", [...kept, ...lost, { type: "status", status: "failed" }], "StreamBroken"],
    [
      "an error of the wire format",
      cut([...kept, ...lost], Object.assign(new Error("bad"), { code: "parse" })),
      "ClientFailed",
    ],
  ])("%s keeps finished text, drops the rest, and can be sent again (G3)", async (_, turn, code) => {
    const client = new ScriptedClient(turn, text("the rest."));
    let ran = 0;
    const worker = Worker.create(client, { maxContinuations: 0, tools: [tool("t", () => ++ran)] });
    await expect(worker.run("go")).rejects.toMatchObject({ code, partialText: "half a" });
    expect(worker.history).toEqual(afterwards);
    expect(client.openStreams).toBe(0);

    const result = await worker.resume();
    expect(result).toMatchObject({ status: "finished", text: "the rest." });
    expect(client.requests[1]?.items.slice(0, 3)).toEqual(afterwards);
    expect(client.requests[1]?.items[3]).toMatchObject({ role: "user" });
    expect(worker.history).toHaveLength(4);
    expect(ran).toBe(0);
  });

  it("has nothing to go on with before it began", async () => {
    await expect(Worker.create(new ScriptedClient()).resume()).rejects.toMatchObject({ code: "InvalidHistory" });
  });

  it("is not continued when new input comes", async () => {
    const client = new ScriptedClient(cut([...kept, ...lost]), text("ok"));
    const worker = Worker.create(client, { maxContinuations: 0 });
    await expect(worker.run("go")).rejects.toThrow();
    await worker.run("something else");
    expect(client.requests[1]?.items).toEqual([...afterwards, userMessage("something else")]);
  });

  it("is continued up to three times in a row, and the texts are one answer", async () => {
    const client = new ScriptedClient(
      cut([...text("One. ", "end_turn", 0), ...open(1, "tw"), usage({ outputTokens: 3 })]),
      cut([...text("Two. ", "end_turn", 0), ...open(1, "thr")]),
      cut([...open(0, "thr")]),
      [...text("Three."), usage({ outputTokens: 2 })],
    );
    const worker = Worker.create(client);
    const told: number[] = [];
    worker.subscribe({ onContinuation: (attempt) => told.push(attempt) });
    const result = await worker.run("count");
    expect(result).toMatchObject({ text: "One. Two. Three.", turns: 4, usage: { outputTokens: 5 } });
    expect(told).toEqual([1, 2, 3]);
    expect(worker.history).toHaveLength(4);
  });

  it("is an error after the fourth break", async () => {
    const client = new ScriptedClient(...Array.from({ length: 4 }, () => cut(open(0, "x"))));
    await expect(Worker.create(client).run("go")).rejects.toMatchObject({
      code: "StreamBroken",
      cause: expect.any(BrokenStream),
    });
    expect(client.requests).toHaveLength(4);
  });

  it("that had not begun is an error at once, with the input kept", async () => {
    const refused = Object.assign(new Error("401"), { code: "http", status: 401 });
    const client = new ScriptedClient(cut([], refused), text("ok"));
    // An empty batch is no event.
    const worker = Worker.create(client);
    await expect(worker.run("precious")).rejects.toMatchObject({ code: "ClientFailed", cause: refused });
    expect(worker.history).toEqual([userMessage("precious")]);
    expect((await worker.resume()).text).toBe("ok");
  });

  it("tells handlers of open blocks that they are aborted, and turn_end follows every turn_start", async () => {
    const client = new ScriptedClient(cut([...open(0, "a"), ...call("c", "t", "{", 1).slice(0, 2)]), text("ok"));
    const worker = Worker.create(client);
    const told: string[] = [];
    worker.subscribe({
      onTextBlock: (_, part) => told.push(`text ${part.type}`),
      onToolUseBlock: (_, part) => told.push(`call ${part.type}`),
      onTurnStart: (turn) => told.push(`turn ${turn}`),
      onTurnEnd: (turn, stopReason) => told.push(`end ${turn} ${stopReason}`),
    });
    await worker.run("go");
    expect(told).toEqual([
      ...[
        "turn 1",
        "text start",
        "text delta",
        "call start",
        "call delta",
        "text abort",
        "call abort",
        "end 1 undefined",
      ],
      ...["turn 2", "text start", "text delta", "text stop", "end 2 end_turn"],
    ]);
  });

  it.each(["content_filter", "context_exceeded"] as const)(
    "with its answer cut by %s is incomplete, and resume continues it, also in another process",
    async (stopReason) => {
      const client = new ScriptedClient(text("Long ", stopReason), text("story."));
      const first = Worker.create(client);
      expect(await first.run("go")).toMatchObject({ status: "incomplete", stopReason, text: "Long " });
      const worker = Worker.resume(client, JSON.parse(JSON.stringify(first.snapshot())));
      expect(await worker.resume()).toMatchObject({ status: "finished", text: "story." });
      expect(client.requests).toHaveLength(2);
      expect(JSON.stringify(client.requests[1]?.items.at(-1))).toContain("Continue it exactly");
    },
  );

  it("that was refused stays refused when it is resumed: nothing is asked again, and nothing called finished", async () => {
    const client = new ScriptedClient(text("I will not.", "refusal"));
    const worker = Worker.create(client);
    const refused = { status: "incomplete", stopReason: "refusal", text: "I will not." };
    expect(await worker.run("go")).toMatchObject(refused);
    expect(await worker.resume()).toMatchObject(refused);
    expect(await Worker.resume(client, worker.snapshot()).resume()).toMatchObject(refused);
    expect(client.requests).toHaveLength(1);
  });

  it("with its answer cut by max_tokens is incomplete, and resume continues it", async () => {
    const client = new ScriptedClient(text("Long ", "max_tokens"), text("story."));
    const worker = Worker.create(client);
    expect(await worker.run("go")).toMatchObject({ status: "incomplete", stopReason: "max_tokens", text: "Long " });
    expect(await worker.resume()).toMatchObject({ status: "finished", text: "story." });
  });
});

describe("cancellation", () => {
  const never = new Promise<never>(() => undefined);

  /** One place where a run awaits something; `reached` opens when it is there. */
  const places: Record<string, (reached: () => void) => { client: ScriptedClient; worker: Worker }> = {
    "while a request opens": (reached) => {
      const client = new ScriptedClient(async function* () {
        reached();
        yield await never;
      });
      return { client, worker: Worker.create(client) };
    },
    "in the middle of a stream": (reached) => {
      const client = new ScriptedClient(async function* () {
        yield [...text("Kept. "), ...open(1, "lost")];
        reached();
        yield await never;
      });
      return { client, worker: Worker.create(client) };
    },
    "while tools run": (reached) => {
      const client = new ScriptedClient(calls(["a", "quick", ""], ["b", "hangs", ""], ["c", "hangs", ""]));
      const tools = [
        tool("quick", () => "quick result"),
        tool("hangs", () => {
          reached();
          return never;
        }),
      ];
      return { client, worker: Worker.create(client, { tools }) };
    },
    ...Object.fromEntries(
      (["OnPromptSubmit", "PreLlmRequest", "PreToolCall", "PostToolCall", "OnTurnEnd", "OnTextDelta"] as const).map(
        (point) => [
          `in a ${point} hook`,
          (reached: () => void) => {
            const client = new ScriptedClient(calls(["a", "t", ""]), text("done"));
            const worker = Worker.create(client, { tools: [tool("t", () => "ran")] });
            worker.addHook(point, () => {
              reached();
              return never;
            });
            return { client, worker };
          },
        ],
      ),
    ),
  };

  it.each(Object.keys(places))("%s ends the run and leaves a valid history", async (name) => {
    const reached = new Gate();
    const place = places[name];
    if (place === undefined) throw new Error(name);
    const { worker, client } = place(reached.open);
    const aborted: string[] = [];
    worker.addHook("OnAbort", ({ reason }) => {
      aborted.push(reason);
    });
    const run = worker.run("go");
    run.catch(() => undefined);
    await reached.promise;
    expect(worker.cancel("enough")).toBe(true);
    await expect(run).rejects.toMatchObject({ code: "Cancelled", reason: "enough" });
    expect(aborted).toEqual(["enough"]);
    expect(worker.running).toBe(false);
    const made = worker.history.flatMap((item) => (item.type === "function_call" ? [item.callId] : []));
    const answered = worker.history.flatMap((item) => (item.type === "function_call_output" ? [item.callId] : []));
    expect(answered).toEqual(made);
    expect(client.requests.length).toBeLessThanOrEqual(2);
  });

  it("right after run() is heard, and without a run it is not", async () => {
    const client = new ScriptedClient(text("ok"), text("ok"));
    const worker = Worker.create(client);
    expect(worker.cancel()).toBe(false);
    const run = worker.run("precious");
    expect(worker.cancel()).toBe(true);
    await expect(run).rejects.toMatchObject({ code: "Cancelled" });
    expect(worker.history).toEqual([userMessage("precious")]);
    expect(client.requests).toEqual([]);
    expect((await worker.resume()).text).toBe("ok");
  });

  it("keeps the results that were there and says so in the others", async () => {
    const reached = new Gate();
    const { worker } = places["while tools run"]?.(reached.open) ?? {};
    const run = worker?.run("go");
    run?.catch(() => undefined);
    await reached.promise;
    worker?.cancel();
    await run?.catch(() => undefined);
    expect(worker?.history.slice(-3)).toEqual([
      { type: "function_call_output", callId: "a", output: "quick result" },
      { type: "function_call_output", callId: "b", output: expect.stringContaining("Cancelled"), isError: true },
      { type: "function_call_output", callId: "c", output: expect.stringContaining("Cancelled"), isError: true },
    ]);
  });

  it("gives tools the signal, and leaves no listener on the caller's", async () => {
    const controller = new AbortController();
    const listeners = new Set<unknown>();
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (type: string, listener: EventListener) => {
      listeners.add(listener);
      add(type, listener);
    };
    signal.removeEventListener = (type: string, listener: EventListener) => {
      listeners.delete(listener);
      remove(type, listener);
    };
    const client = new ScriptedClient(calls(["a", "t", ""]), text("ok"), calls(["b", "waits", ""]));
    const worker = Worker.create(client, {
      tools: [
        tool("t", (_, context) => context.signal.aborted),
        tool("waits", (_, context) => {
          const aborted = new Promise((resolve) => context.signal.addEventListener("abort", resolve, { once: true }));
          controller.abort(new Error("user left"));
          return aborted;
        }),
      ],
    });
    await worker.run("go", { signal });
    expect(listeners.size).toBe(0);
    await expect(worker.run("go", { signal })).rejects.toMatchObject({
      code: "Cancelled",
      cause: new Error("user left"),
    });
    await expect(worker.run("go", { signal })).rejects.toMatchObject({ code: "Cancelled" });
    expect(worker.history.at(-1)).toEqual(userMessage("go"));
  });

  it("gives a tool up after its time", async () => {
    const client = new ScriptedClient(calls(["a", "hangs", ""], ["b", "quick", ""]), text("ok"));
    let aborted = false;
    const worker = Worker.create(client, {
      toolTimeoutMs: (meta) => (meta.name === "hangs" ? 5 : undefined),
      tools: [
        tool("hangs", (_, context) => {
          context.signal.addEventListener("abort", () => {
            aborted = true;
          });
          return never;
        }),
        tool("quick", () => "quick"),
      ],
    });
    expect((await worker.run("go")).status).toBe("finished");
    expect(worker.history.slice(3, 5)).toEqual([
      { type: "function_call_output", callId: "a", output: expect.stringContaining("5 ms"), isError: true },
      { type: "function_call_output", callId: "b", output: "quick" },
    ]);
    expect(aborted).toBe(true);
  });
});
