import { itemText, userMessage } from "@tsukumo/client";
import { describe, expect, it } from "vitest";
import { type HookPoint, type Hooks, type StreamResult, Worker, WorkerError } from "../src/index.js";
import { call, calls, ScriptedClient, text, thinking } from "./scripted.js";
import { tool } from "./tools.js";

/** A worker whose tool `t` counts its runs and gives back its arguments, in a script of one call and one answer. */
function scene(hooks: { readonly [P in HookPoint]?: Hooks[P] }) {
  const ran: unknown[] = [];
  const client = new ScriptedClient(calls(["a", "t", '{"n":1}'], ["b", "t", '{"n":2}']), text("done"));
  const worker = Worker.create(client, {
    hooks,
    tools: [
      tool("t", (args) => {
        ran.push(args.n);
        return `ran ${args.n}`;
      }),
    ],
  });
  const outputs = () =>
    worker.history.flatMap((item) =>
      item.type === "function_call_output" ? [[item.callId, item.output, item.isError]] : [],
    );
  return { worker, client, ran, outputs };
}

async function failure(run: Promise<unknown>): Promise<WorkerError> {
  const error: unknown = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof WorkerError) return error;
  throw new Error(`expected a WorkerError, got ${String(error)}`);
}

describe("OnPromptSubmit", () => {
  it("changes the input", async () => {
    const { worker } = scene({
      OnPromptSubmit: (context) => {
        context.item = userMessage("changed");
      },
    });
    await worker.run("original");
    expect(worker.history[0]).toEqual(userMessage("changed"));
  });

  it("cancels: nothing enters the history", async () => {
    const { worker, client } = scene({ OnPromptSubmit: () => ({ action: "cancel", reason: "not now" }) });
    expect(await failure(worker.run("go"))).toMatchObject({ code: "Aborted", reason: "not now" });
    expect(worker.history).toEqual([]);
    expect(client.requests).toEqual([]);
  });
});

describe("PreLlmRequest", () => {
  it("changes one request and not the history", async () => {
    const { worker, client } = scene({
      PreLlmRequest: (context) => {
        if (context.turn === 1)
          context.request = { ...context.request, items: [userMessage("other")], config: { topK: 1 } };
      },
    });
    await worker.run("go");
    expect(client.requests[0]).toMatchObject({ items: [userMessage("other")], config: { topK: 1 } });
    expect(client.requests[1]?.items[0]).toEqual(userMessage("go"));
    expect(worker.history[0]).toEqual(userMessage("go"));
  });

  it("cancels: the input stays", async () => {
    const { worker, client } = scene({ PreLlmRequest: () => ({ action: "cancel", reason: "too dear" }) });
    expect(await failure(worker.run("go"))).toMatchObject({ code: "Aborted", reason: "too dear" });
    expect(worker.history).toEqual([userMessage("go")]);
    expect(client.requests).toEqual([]);
  });
});

describe("PreToolCall", () => {
  it("gives the call, the meta and the instance, and runs what it changes", async () => {
    const seen: unknown[] = [];
    const { worker, ran, outputs } = scene({
      PreToolCall: (context) => {
        seen.push([context.call.callId, context.meta.name, typeof context.tool.execute, Object.isFrozen(context.meta)]);
        context.call = { ...context.call, arguments: '{"n":7}', callId: "forged" };
      },
    });
    await worker.run("go");
    expect(seen).toEqual([
      ["a", "t", "function", true],
      ["b", "t", "function", true],
    ]);
    expect(ran).toEqual([7, 7]);
    expect(outputs().map(([id]) => id)).toEqual(["a", "b"]);
    expect(worker.history[1]).toMatchObject({ arguments: '{"n":1}' });
  });

  it.each([
    ["skip", { action: "skip", reason: "no need" } as const, ["a", "The call was skipped: no need.", true]],
    [
      "skip, in a sentence",
      { action: "skip", reason: "No need." } as const,
      ["a", "The call was skipped: No need.", true],
    ],
    ["a synthetic result", { action: "synthetic_result", content: "made up" } as const, ["a", "made up", undefined]],
    [
      "a synthetic error",
      { action: "synthetic_result", content: "denied", isError: true } as const,
      ["a", "denied", true],
    ],
  ])("%s leaves a result in call order and the tool does not run (G2)", async (_, answer, expected) => {
    const { worker, ran, outputs } = scene({ PreToolCall: ({ call }) => (call.callId === "a" ? answer : undefined) });
    expect((await worker.run("go")).status).toBe("finished");
    expect(ran).toEqual([2]);
    expect(outputs()).toEqual([expected, ["b", "ran 2", undefined]]);
  });

  it("aborts: nothing runs, every call has an output, and the next run repeats none (G2, G5)", async () => {
    const { worker, ran, outputs } = scene({
      PreToolCall: ({ call }) => (call.callId === "b" ? { action: "abort", reason: "danger" } : undefined),
    });
    expect(await failure(worker.run("go"))).toMatchObject({ code: "Aborted", reason: "danger" });
    expect(outputs()).toEqual([
      ["a", expect.stringContaining("not run"), true],
      ["b", expect.stringContaining("not run"), true],
    ]);
    expect((await worker.run("on")).text).toBe("done");
    expect(ran).toEqual([]);
  });

  it("pauses before anything runs; resume asks about the paused call again and not about the others", async () => {
    const asked: string[] = [];
    let approved = false;
    const { worker, ran } = scene({
      PreToolCall: ({ call }) => {
        asked.push(call.callId);
        return call.callId === "b" && !approved ? { action: "pause", reason: "ask someone" } : undefined;
      },
    });
    const result = await worker.run("go");
    expect(result).toMatchObject({ status: "paused", pause: { reason: "ask someone" } });
    expect(result.pause?.calls.map((paused) => paused.callId)).toEqual(["a", "b"]);
    expect(ran).toEqual([]);
    approved = true;
    expect((await worker.resume()).text).toBe("done");
    expect(ran).toEqual([1, 2]);
    expect(asked).toEqual(["a", "b", "b"]);
  });

  it("is overruled by the decisions of resume()", async () => {
    const { worker, ran, outputs } = scene({ PreToolCall: () => ({ action: "pause" }) });
    await worker.run("go");
    await worker.resume({ decisions: { a: { action: "continue", arguments: '{"n":9}' }, b: { action: "skip" } } });
    expect(ran).toEqual([9]);
    expect(outputs()).toEqual([
      ["a", "ran 9", undefined],
      ["b", "The call was skipped.", true],
    ]);
  });

  it("is overruled by the decisions of stream()", async () => {
    const { worker, ran } = scene({ PreToolCall: () => ({ action: "pause" }) });
    await worker.run("go");
    const stream = worker.stream(undefined, { decisions: { a: { action: "continue" }, b: { action: "skip" } } });
    expect((await stream.result).status).toBe("finished");
    expect(ran).toEqual([1]);
  });

  it("keeps a new input behind the outputs of paused calls (G8)", async () => {
    let pause = true;
    const { worker, client } = scene({ PreToolCall: () => (pause ? { action: "pause" } : undefined) });
    await worker.run("go");
    expect((await worker.run("second")).status).toBe("paused");
    expect(worker.snapshot().queued).toEqual([userMessage("second")]);
    pause = false;
    expect((await worker.run("third")).text).toBe("done");
    expect(client.requests[1]?.items.map((item) => item.type)).toEqual([
      "message",
      "function_call",
      "function_call",
      "function_call_output",
      "function_call_output",
      "message",
      "message",
    ]);
    expect(client.requests[1]?.items.slice(-2)).toEqual([userMessage("second"), userMessage("third")]);
  });
});

describe("PostToolCall", () => {
  it("sees the result after the run and changes it", async () => {
    const { worker, outputs } = scene({
      PostToolCall: (context) => {
        if (context.call.callId === "a") context.result = { content: `<${context.result.content}>`, isError: true };
      },
    });
    await worker.run("go");
    expect(outputs()).toEqual([
      ["a", "<ran 1>", true],
      ["b", "ran 2", undefined],
    ]);
  });

  it("aborts after the side effects: all results stay, all are reviewed, and no tool runs again (G5)", async () => {
    const reviewed: string[] = [];
    const { worker, ran, outputs } = scene({
      PostToolCall: ({ call }) => {
        reviewed.push(call.callId);
        return call.callId === "a" ? { action: "abort", reason: "enough" } : undefined;
      },
    });
    expect(await failure(worker.run("go"))).toMatchObject({ code: "Aborted", reason: "enough" });
    expect(outputs()).toEqual([
      ["a", "ran 1", undefined],
      ["b", "ran 2", undefined],
    ]);
    expect(reviewed).toEqual(["a", "b"]);
    expect((await worker.resume()).text).toBe("done");
    expect(ran).toEqual([1, 2]);
  });

  it("that fails has the result withheld, and the others reviewed", async () => {
    const { worker, ran, outputs } = scene({
      PostToolCall: (context) => {
        if (context.call.callId === "a") throw new Error("no reviewer");
        context.result = { content: "clean", isError: false };
      },
    });
    expect(await failure(worker.run("go"))).toMatchObject({ code: "HookFailed" });
    expect(outputs()).toEqual([
      ["a", expect.stringContaining("withheld"), true],
      ["b", "clean", undefined],
    ]);
    expect((await worker.resume()).text).toBe("done");
    expect(ran).toEqual([1, 2]);
  });

  it.each([
    ["hears of results when the run is cancelled", () => undefined, "reviewed ran 1"],
    ["that does not answer then has them withheld", () => new Promise<undefined>(() => undefined), "withheld"],
  ])("%s", async (_, wait, expected) => {
    const client = new ScriptedClient(calls(["a", "t", ""], ["b", "stops", ""]));
    const worker: Worker = Worker.create(client, {
      maxParallelTools: 1,
      tools: [
        tool("t", () => "ran 1"),
        tool("stops", () => {
          worker.cancel();
          return new Promise(() => undefined);
        }),
      ],
      hooks: {
        PostToolCall: (context) => {
          context.result = { content: `reviewed ${context.result.content}`, isError: false };
          return wait();
        },
      },
    });
    expect(await failure(worker.run("go"))).toMatchObject({ code: "Cancelled" });
    expect(worker.history[3]).toMatchObject({ callId: "a", output: expect.stringContaining(expected) });
  });

  it("does not see calls that did not run", async () => {
    const reviewed: string[] = [];
    const { worker } = scene({
      PreToolCall: ({ call }) => (call.callId === "a" ? { action: "skip" } : undefined),
      PostToolCall: ({ call }) => {
        reviewed.push(call.callId);
      },
    });
    await worker.run("go");
    expect(reviewed).toEqual(["b"]);
  });
});

describe("OnTurnEnd", () => {
  it("is asked only after a turn that called no tool, and may go on with messages", async () => {
    const asked: unknown[] = [];
    const { worker, client } = scene({
      OnTurnEnd: ({ text: answer, turn, stopReason }) => {
        asked.push([answer, turn, stopReason]);
        return asked.length === 1
          ? { action: "continue_with_messages", messages: [userMessage("are you sure?")] }
          : undefined;
      },
    });
    client.add(text("yes"));
    expect((await worker.run("go")).text).toBe("yes");
    expect(asked).toEqual([
      ["done", 2, "end_turn"],
      ["yes", 3, "end_turn"],
    ]);
    expect(worker.history.at(-2)).toEqual(userMessage("are you sure?"));
  });

  it("pauses; resume asks again and sends no request", async () => {
    let open = false;
    const { worker, client } = scene({
      OnTurnEnd: () => (open ? { action: "finish" } : { action: "paused", reason: "review" }),
    });
    expect(await worker.run("go")).toMatchObject({
      status: "paused",
      text: "done",
      pause: { reason: "review", calls: [] },
    });
    open = true;
    expect(await worker.resume()).toMatchObject({ status: "finished", text: "done", turns: 0 });
    expect(client.requests).toHaveLength(2);
  });
});

describe("OnAbort", () => {
  it("is told why, and its own failure replaces nothing", async () => {
    const warnings: string[] = [];
    const reasons: string[] = [];
    const client = new ScriptedClient();
    const worker = Worker.create(client, {
      onWarning: ({ code }) => warnings.push(code),
      hooks: {
        OnAbort: ({ reason, error }) => {
          reasons.push(`${error.code}: ${reason}`);
          throw new Error("second failure");
        },
      },
    });
    expect(await failure(worker.run("go"))).toMatchObject({ code: "ClientFailed" });
    expect(reasons).toEqual(["ClientFailed: The request failed: the script is over"]);
    expect(warnings).toEqual(["hook_failed"]);
  });

  it("is not told of a finished or paused run", async () => {
    let told = 0;
    const { worker } = scene({
      OnAbort: () => {
        told += 1;
      },
      OnTurnEnd: () => ({ action: "paused" }),
    });
    await worker.run("go");
    expect(told).toBe(0);
  });
});

describe("stream hooks", () => {
  const script = () => [
    ...thinking("hm", 0),
    ...text("one two", "tool_use", 1),
    ...call("c", "t", '{"n":1}', 2, "tool_use"),
  ];

  it("hear deltas, chunks and the end, in order", async () => {
    const heard: string[] = [];
    const hear = (entry: string): void => {
      heard.push(entry);
    };
    const client = new ScriptedClient(script(), text("x"));
    const worker = Worker.create(client, {
      maxTurns: 1,
      tools: [tool("t", () => "")],
      hooks: {
        OnTextDelta: ({ index, delta }) => hear(`text ${index} ${delta}`),
        OnThinkingDelta: ({ index, delta }) => hear(`thinking ${index} ${delta}`),
        OnToolCallDelta: ({ callId, name, deltaJsonFragment }) => hear(`call ${callId} ${name} ${deltaJsonFragment}`),
        OnStreamChunk: async ({ event }) => {
          if (event.type === "block_start") hear(`start ${event.index}`);
        },
        OnStreamComplete: ({ turn, eventCount }) => hear(`complete ${turn} ${eventCount}`),
      },
    });
    await worker.run("go");
    expect(heard).toEqual([
      "start 0",
      "thinking 0 hm",
      "start 1",
      "text 1 one ",
      "text 1 two",
      "start 2",
      'call c t {"n"',
      "call c t :1}",
      `complete 1 ${script().length}`,
    ]);
  });

  it.each([
    ["OnTextDelta", "lost ", ["kept"]],
    ["OnThinkingDelta", "hm", ["kept"]],
    ["OnToolCallDelta", "{", ["kept", "lost too"]],
  ] as const)(
    "%s aborts the stream: finished text stays, calls go, the next run starts clean (G3)",
    async (point, at, kept) => {
      const client = new ScriptedClient(
        [
          ...text("kept", "end_turn", 0),
          ...thinking("hm", 1),
          ...text("lost too", "end_turn", 2),
          ...call("c", "t", "{}", 3),
        ],
        text("fresh"),
      );
      let ran = 0;
      const worker = Worker.create(client, { tools: [tool("t", () => ++ran)] });
      const stopAt = (context: { delta?: string; deltaJsonFragment?: string }): StreamResult | undefined =>
        (context.delta ?? context.deltaJsonFragment) === at ? { action: "abort", reason: "stop" } : undefined;
      worker.addHook(point, stopAt);
      expect(await failure(worker.run("go"))).toMatchObject({ code: "Aborted", reason: "stop" });
      const texts = worker.history.slice(1).filter((item) => item.type === "message");
      expect(texts.map(itemText)).toEqual(kept);
      expect(worker.history.at(-1)?.type).toBe("message");
      await worker.run("again");
      expect(worker.history.slice(-2)).toEqual([userMessage("again"), expect.objectContaining({ role: "assistant" })]);
      expect(ran).toBe(0);
      expect(client.openStreams).toBe(0);
    },
  );

  describe.each(["OnStreamChunk", "OnTextDelta", "OnThinkingDelta", "OnToolCallDelta", "OnStreamComplete"] as const)(
    "%s",
    (point) => {
      it.each<["continue" | "abort" | "pause" | "nothing", unknown]>([
        ["continue", { status: "finished", text: "done" }],
        ["nothing", { status: "finished", text: "done" }],
        ["abort", { code: "Aborted", reason: "enough" }],
        ["pause", { status: "paused", pause: { reason: "enough" } }],
      ])("%s", async (action, outcome) => {
        const client = new ScriptedClient(script(), text("done"));
        const worker = Worker.create(client, { tools: [tool("t", () => "")] });
        const answer = (): StreamResult | undefined =>
          action === "nothing" ? undefined : action === "continue" ? { action } : { action, reason: "enough" };
        const remove = worker.addHook(point, answer);
        expect(await worker.run("go").catch((error: unknown) => error)).toMatchObject(Object(outcome));
        remove();
        if (action === "abort" || action === "pause") {
          client.add(text("done"));
          expect((await worker.resume()).text).toBe("done");
        }
        const called = worker.history.filter((item) => item.type === "function_call");
        expect(worker.history.filter((item) => item.type === "function_call_output")).toHaveLength(called.length);
        expect(client.openStreams).toBe(0);
      });
    },
  );

  it("pause: the answer is continued by resume, in one request that says so", async () => {
    const client = new ScriptedClient(
      [...text("Once ", "end_turn", 0), ...text("upon ", "end_turn", 1)],
      text("a time."),
    );
    const worker = Worker.create(client);
    let pause = true;
    worker.addHook("OnTextDelta", ({ delta }) =>
      delta === "upon " && pause ? { action: "pause", reason: "wait" } : undefined,
    );
    expect(await worker.run("go")).toMatchObject({ status: "paused", text: "Once ", pause: { reason: "wait" } });
    pause = false;
    expect(await worker.resume()).toMatchObject({ status: "finished" });
    expect(client.requests[1]?.items).toHaveLength(3);
    expect(worker.history).toHaveLength(3);
  });

  it("OnStreamComplete pauses before the calls run", async () => {
    const { worker, ran } = scene({ OnStreamComplete: ({ turn }) => (turn === 1 ? { action: "pause" } : undefined) });
    expect((await worker.run("go")).pause?.calls).toHaveLength(2);
    expect(ran).toEqual([]);
    expect((await worker.resume()).text).toBe("done");
    expect(ran).toEqual([1, 2]);
  });
});

describe("every hook point", () => {
  const points = {
    OnPromptSubmit: true,
    PreLlmRequest: true,
    PreToolCall: true,
    PostToolCall: true,
    OnTurnEnd: true,
    OnTextDelta: true,
    OnStreamChunk: true,
    OnStreamComplete: true,
    OnToolCallDelta: true,
  } as const;

  it.each(Object.keys(points) as (keyof typeof points)[])("%s: what it throws is told as HookFailed", async (point) => {
    const { worker, outputs } = scene({});
    const boom = new Error("boom");
    worker.addHook(point, () => {
      throw boom;
    });
    const error = await failure(worker.run("go"));
    expect(error).toMatchObject({ code: "HookFailed", cause: boom });
    expect(error.message).toContain(point);
    const called = worker.history.filter((item) => item.type === "function_call");
    expect(outputs()).toHaveLength(called.length);
  });

  it("asks in the order of registration, and the first decision wins", async () => {
    const { worker } = scene({});
    const asked: number[] = [];
    worker.addHook("PreLlmRequest", async () => {
      asked.push(1);
      return { action: "continue" };
    });
    worker.addHook("PreLlmRequest", async () => {
      asked.push(2);
      return { action: "cancel", reason: "two" };
    });
    worker.addHook("PreLlmRequest", () => {
      asked.push(3);
    });
    expect((await failure(worker.run("go"))).reason).toBe("two");
    expect(asked).toEqual([1, 2]);
  });
});
