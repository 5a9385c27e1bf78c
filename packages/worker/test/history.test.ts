import { functionCallOutput, type Item, systemMessage, userMessage } from "@tsukumo/client";
import { describe, expect, it } from "vitest";
import { Worker } from "../src/index.js";
import { calls, ScriptedClient, text } from "./scripted.js";
import { tool } from "./tools.js";

const asked = (callId: string): Item => ({ type: "function_call", callId, name: "t", arguments: "{}" });

describe("a history from outside", () => {
  it.each<[string, Item[]]>([
    ["an output without a call", [functionCallOutput("a", "x")]],
    ["two outputs for a call", [asked("a"), functionCallOutput("a", "x"), functionCallOutput("a", "y")]],
    ["two calls of one id", [asked("a"), functionCallOutput("a", "x"), asked("a")]],
    ["a user message between a call and its output", [asked("a"), userMessage("x"), functionCallOutput("a", "x")]],
    ["a system message after a call without output", [asked("a"), systemMessage("x")]],
  ])("is refused with %s, and the old one stays", (_, items) => {
    const worker = Worker.create(new ScriptedClient(), { history: [userMessage("old")] });
    expect(() => worker.setHistory(items)).toThrow(expect.objectContaining({ code: "InvalidHistory" }));
    expect(worker.history).toEqual([userMessage("old")]);
    expect(() => Worker.create(new ScriptedClient(), { history: items })).toThrow();
  });

  it("is copied: the caller's items stay its own, the worker's are frozen", () => {
    const item = {
      type: "message" as const,
      role: "user" as const,
      content: [{ type: "input_text" as const, text: "x" }],
    };
    const worker = Worker.create(new ScriptedClient(), { history: [item] });
    item.content.push({ type: "input_text", text: "later" });
    expect(worker.history).toEqual([userMessage("x")]);
    const [kept] = worker.history;
    expect(kept?.type === "message" && Object.isFrozen(kept) && Object.isFrozen(kept.content)).toBe(true);
  });

  it("with calls that wait has them run first, their results before the new input", async () => {
    const client = new ScriptedClient(text("ok"));
    const worker = Worker.create(client, {
      history: [
        userMessage("one"),
        asked("a"),
        { type: "reasoning", text: "hm" },
        asked("b"),
        functionCallOutput("b", "b"),
      ],
      tools: [tool("t", () => "a")],
    });
    await worker.run("two");
    expect(worker.history.slice(4, 7)).toEqual([
      functionCallOutput("b", "b"),
      functionCallOutput("a", "a"),
      userMessage("two"),
    ]);
  });

  it("that replaces a paused one keeps how far its calls are", async () => {
    let pause = true;
    let ran = 0;
    const worker = Worker.create(new ScriptedClient(calls(["a", "t", "{}"], ["b", "t", "{}"]), text("ok")), {
      tools: [tool("t", () => ++ran)],
      hooks: {
        PreToolCall: ({ call }) => {
          if (call.callId === "a") return { action: "synthetic_result", content: "decided" };
          return pause ? { action: "pause" } : undefined;
        },
      },
    });
    await worker.run("go");
    worker.setHistory([userMessage("shortened"), ...worker.history.slice(1)]);
    pause = false;
    expect((await worker.resume()).text).toBe("ok");
    expect(worker.history[3]).toEqual(functionCallOutput("a", "decided"));
    expect(ran).toBe(1);
  });
});

describe("a snapshot", () => {
  it.each([
    ["another version", { version: 2, history: [] }],
    ["no snapshot", { hello: "world" }],
    ["nothing", undefined],
    ["half a snapshot", { version: 1, history: [] }],
    [
      "a broken history",
      { version: 1, conversationId: "c", config: {}, history: [functionCallOutput("a", "x")], calls: [] },
    ],
  ])("is refused: %s", (_, snapshot) => {
    expect(() => Worker.resume(new ScriptedClient(), snapshot as never)).toThrow(
      expect.objectContaining({ code: "InvalidSnapshot" }),
    );
  });

  it.each([
    ["queued", undefined],
    ["usage", undefined],
    ["turns", "3"],
    ["interrupted", undefined],
    ["sharedState", []],
    ["lock", {}],
    ["history", [{ type: "alien" }]],
    ["history", [null]],
    ["calls", [{ callId: "a", state: { stage: "asleep", call: {} } }]],
    ["calls", [{ callId: "a", state: { stage: "finished", call: {} } }]],
  ])("is refused with %s %j", (field, value) => {
    const whole = Worker.create(new ScriptedClient()).snapshot();
    const snapshot = { ...JSON.parse(JSON.stringify(whole)), [field]: value };
    expect(() => Worker.resume(new ScriptedClient(), snapshot)).toThrow(
      expect.objectContaining({ code: "InvalidSnapshot" }),
    );
  });

  it("goes on in another process from a pause, with decisions made there", async () => {
    const ran: string[] = [];
    const code = {
      tools: [tool("t", (_, context) => void ran.push(context.call?.callId ?? ""))],
      hooks: { PreToolCall: () => ({ action: "pause" as const, reason: "approve" }) },
    };
    const first = Worker.create(new ScriptedClient(calls(["a", "t", "{}"], ["b", "t", "{}"])), code);
    await first.run("go");
    const saved = JSON.stringify(first.snapshot());

    const second = Worker.resume(new ScriptedClient(text("ok")), JSON.parse(saved), code);
    const result = await second.resume({
      decisions: { a: { action: "continue" }, b: { action: "skip", reason: "refused by the user" } },
    });
    expect(result.text).toBe("ok");
    expect(ran).toEqual(["a"]);
    expect(second.conversationId).toBe(first.conversationId);
  });

  it("keeps the state that tools share, and the caller's context reaches them", async () => {
    const worker = Worker.create(new ScriptedClient(calls(["a", "t", "{}"]), text("ok")), {
      tools: [tool("t", (_, context) => context.state.set("n", context.state.get("n", 0) + 1))],
    });
    await worker.run("go");
    const resumed = Worker.resume(new ScriptedClient(calls(["b", "t", "{}"]), text("ok")), worker.snapshot(), {
      tools: [tool("t", (_, context) => context.state.set("n", context.state.get("n", 0) + 1))],
    });
    await resumed.run("go");
    expect(resumed.snapshot().sharedState).toEqual({ n: 2 });
  });
});
