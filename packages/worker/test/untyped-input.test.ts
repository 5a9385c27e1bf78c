/** Input and changes that the types forbid and JavaScript allows: refused or without effect, and the worker goes on. */
import { functionCallOutput, type Item, type RequestConfig, userMessage } from "@tsukumo/client";
import { describe, expect, it } from "vitest";
import { Worker, type WorkerOptions } from "../src/index.js";
import { ScriptedClient, text } from "./scripted.js";
import { tool } from "./tools.js";

function untyped<T>(value: unknown): T {
  return value as T;
}

const message = (content: unknown): Item => untyped({ type: "message", role: "user", content });

describe("input that no request could carry is refused, and the next one runs", () => {
  it.each<[string, unknown]>([
    ["a text instead of parts", message("hi")],
    ["no content", message(undefined)],
    ["a part that is none", message([null])],
    ["a part without a type", message([{ text: "hi" }])],
    ["a function", { ...userMessage("hi"), onDone() {} }],
    ["an empty text", ""],
    ["no parts", message([])],
  ])("%s", async (_, input) => {
    const client = new ScriptedClient(text("ok"));
    const worker = Worker.create(client);
    await expect(worker.run(untyped(input))).rejects.toMatchObject({ code: "InvalidHistory" });
    expect(worker.snapshot().queued).toEqual([]);
    expect(await worker.run("go")).toMatchObject({ status: "finished", text: "ok" });
  });

  it.each<[string, Item[]]>([
    ["a text instead of parts", [message("hi")]],
    [
      "an output that is neither text nor parts",
      [
        userMessage("q"),
        { type: "function_call", callId: "a", name: "t", arguments: "{}" },
        untyped({ type: "function_call_output", callId: "a", output: { x: 1 } }),
      ],
    ],
    ["a function", [untyped({ ...userMessage("hi"), onDone() {} })]],
  ])("in a history: %s", (_, items) => {
    const worker = Worker.create(new ScriptedClient(), { history: [userMessage("old")] });
    expect(() => worker.setHistory(items)).toThrow(expect.objectContaining({ code: "InvalidHistory" }));
    expect(worker.history).toEqual([userMessage("old")]);
  });
});

it("a frozen item that holds what is not frozen is copied", async () => {
  const client = new ScriptedClient(text("ok"), text("ok"));
  const worker = Worker.create(client).lock();
  const part = { type: "input_text" as const, text: "hello" };
  await worker.run(Object.freeze({ type: "message", role: "user", content: [part] }));
  part.text = "CHANGED";
  await worker.run("go");
  expect(JSON.stringify(client.requests[1])).not.toContain("CHANGED");
});

describe("a PreLlmRequest hook that changes the request in place", () => {
  const edits: Record<string, (request: Record<string, unknown>) => void> = {
    "the system prompt": (request) => (request.systemPrompt = "B"),
    "the tools": (request) => (request.tools = []),
    "the items": (request) => untyped<Item[]>(request.items).shift(),
    "the items' end": (request) => untyped<Item[]>(request.items).push(functionCallOutput("no", "x")),
    "the config": (request) => (untyped<{ temperature: number }>(request.config).temperature = 0.9),
    "a list in the config": (request) => untyped<{ stopSequences: string[] }>(request.config).stopSequences.push("x"),
  };

  it.each(Object.entries(edits))("%s: fails the run, and nothing changed", async (_, edit) => {
    const config: RequestConfig = { temperature: 0.1, stopSequences: ["END"] };
    const options: WorkerOptions = { systemPrompt: "A", config, tools: [tool("t", () => "x")] };
    for (const locked of [true, false]) {
      const client = new ScriptedClient(text("ok"), text("ok"));
      const worker = Worker.create(client, options);
      const remove = worker.addHook("PreLlmRequest", ({ request }) => edit(untyped(request)));
      const running = locked ? worker.lock() : worker;
      await expect(running.run("go")).rejects.toMatchObject({ code: "HookFailed" });
      expect(client.requests).toEqual([]);
      remove();
      await running.run("on");
      expect(client.requests[0]).toMatchObject({ systemPrompt: "A", config });
      expect(config).toEqual({ temperature: 0.1, stopSequences: ["END"] });
      expect(client.requests[0]?.items).toEqual([userMessage("go"), userMessage("on")]);
    }
  });

  it("may replace what it may, and not the provider's own tools under a lock", async () => {
    const client = new ScriptedClient(text("ok"));
    const worker = Worker.create(client, { config: { temperature: 0.1 } });
    const extra = { tools: [{ type: "web_search" }] };
    let wanted: RequestConfig = { temperature: 0.9 };
    worker.addHook("PreLlmRequest", (context) => {
      context.request = { ...context.request, config: wanted };
    });
    const locked = worker.lock();
    await locked.run("go");
    expect(client.requests[0]?.config).toEqual({ temperature: 0.9 });
    wanted = { extra };
    await expect(locked.run("go")).rejects.toMatchObject({ code: "CachePrefixChanged" });
  });
});

it("resume() after a limit in the middle of a provider's long turn asks on", async () => {
  const client = new ScriptedClient(text("Searching. ", "pause"), text("Found."));
  const worker = Worker.create(client, { maxTurns: 1 });
  expect(await worker.run("go")).toMatchObject({ status: "limit_reached" });
  expect(await worker.resume()).toMatchObject({ status: "finished", text: "Found." });
});

it("a remover that is called twice takes one registration away", async () => {
  const client = new ScriptedClient(text("ok"));
  const worker = Worker.create(client);
  const told: string[] = [];
  const subscriber = { onTurnStart: () => told.push("turn"), onTextComplete: () => told.push("text") };
  const hook = () => void told.push("hook");
  const removers = [worker.subscribe(subscriber), worker.addHook("OnPromptSubmit", hook)];
  worker.subscribe(subscriber);
  worker.addHook("OnPromptSubmit", hook);
  for (const remove of [...removers, ...removers]) remove();
  await worker.run("go");
  expect(told).toEqual(["hook", "turn", "text"]);
});
