import { type Item, userMessage } from "@tsukumo/client";
import { ToolError } from "@tsukumo/tool";
import { describe, expect, it } from "vitest";
import { Worker } from "../src/index.js";
import { call, calls, ScriptedClient, text, thinking, usage } from "./scripted.js";
import { Barrier, Gate, tool } from "./tools.js";

const types = (items: readonly Item[]): string[] => items.map((item) => item.type);

describe("the loop", () => {
  it("runs until no tool is called, with the results in the calls' order", async () => {
    const client = new ScriptedClient(
      [...calls(["a", "slow", '{"n":1}'], ["b", "fast", '{"n":2}']), usage({ inputTokens: 10, outputTokens: 4 })],
      [...text("All done."), usage({ inputTokens: 20, outputTokens: 2 })],
    );
    const fastDone = new Gate();
    const worker = Worker.create(client, {
      systemPrompt: "Be brief.",
      tools: [
        tool("slow", async ({ n }) => {
          await fastDone.promise;
          return `slow ${n}`;
        }),
        tool("fast", ({ n }) => {
          fastDone.open();
          return `fast ${n}`;
        }),
      ],
    });
    const result = await worker.run("Go.");
    expect(result).toEqual({
      status: "finished",
      text: "All done.",
      stopReason: "end_turn",
      turns: 2,
      usage: { inputTokens: 30, outputTokens: 6 },
    });
    expect(worker.usage).toEqual(result.usage);
    expect(worker.history).toEqual([
      userMessage("Go."),
      { type: "function_call", callId: "a", name: "slow", arguments: '{"n":1}' },
      { type: "function_call", callId: "b", name: "fast", arguments: '{"n":2}' },
      { type: "function_call_output", callId: "a", output: "slow 1" },
      { type: "function_call_output", callId: "b", output: "fast 2" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "All done." }] },
    ]);
    expect(client.requests[1]?.systemPrompt).toBe("Be brief.");
    expect(client.requests[1]?.tools.map((definition) => definition.name)).toEqual(["fast", "slow"]);
    expect(client.requests[1]?.items).toEqual(worker.history.slice(0, 5));
  });

  it("runs the tools of a batch at once", async () => {
    const barrier = new Barrier(3);
    const client = new ScriptedClient(calls(["1", "meet", ""], ["2", "meet", ""], ["3", "meet", ""]), text("ok"));
    const worker = Worker.create(client, { tools: [tool("meet", () => barrier.arrive())] });
    expect((await worker.run("go")).status).toBe("finished");
  });

  it("runs at most maxParallelTools of them", async () => {
    let running = 0;
    let most = 0;
    const client = new ScriptedClient(calls(["1", "t", ""], ["2", "t", ""], ["3", "t", ""]), text("ok"));
    const worker = Worker.create(client, {
      maxParallelTools: 2,
      tools: [
        tool("t", async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 1));
          running -= 1;
        }),
      ],
    });
    await worker.run("go");
    expect(most).toBe(2);
  });

  it("keeps reasoning, text and calls in the order in which the model wrote them", async () => {
    const client = new ScriptedClient(
      [
        ...thinking("hm", 0),
        ...text("Let me look.", "tool_use", 1).slice(0, -1),
        { type: "block_stop", index: 1 },
        ...call("c", "look", "{}", 2, "tool_use"),
      ],
      text("Seen."),
    );
    const worker = Worker.create(client, { tools: [tool("look", () => "a cat")] });
    await worker.run("look");
    expect(types(worker.history)).toEqual([
      "message",
      "reasoning",
      "message",
      "function_call",
      "function_call_output",
      "message",
    ]);
    expect(worker.history[1]).toEqual({
      type: "reasoning",
      text: "hm",
      reasoning: { scheme: "scripted", signature: "sig of hm" },
    });
  });

  it.each([
    ["an unknown tool", "nope", "{}", 'no tool named "nope"'],
    ["a ToolError", "fails", "{}", "no such city"],
    ["a throw", "throws", "{}", "boom"],
    ["truncated JSON", "echo", '{"a": "hal', "not complete JSON"],
  ])("goes on after %s with an error result", async (_, name, args, message) => {
    const client = new ScriptedClient(calls(["x", name, args], ["y", "echo", '{"a":1}']), text("I see."));
    let ran = 0;
    const worker = Worker.create(client, {
      tools: [
        tool("echo", (input) => {
          ran += 1;
          return input;
        }),
        tool("fails", () => {
          throw ToolError.invalidArgument("no such city");
        }),
        tool("throws", () => {
          throw new Error("boom");
        }),
      ],
    });
    expect((await worker.run("go")).status).toBe("finished");
    const outputs = worker.history.filter((item) => item.type === "function_call_output");
    expect(outputs).toHaveLength(2);
    expect(outputs[0]).toMatchObject({ callId: "x", isError: true, output: expect.stringContaining(message) });
    expect(outputs[1]).toEqual({ type: "function_call_output", callId: "y", output: '{"a":1}' });
    expect(ran).toBe(1);
  });

  it('takes "" as no arguments (G4)', async () => {
    const client = new ScriptedClient(calls(["x", "echo", ""]), text("ok"));
    const worker = Worker.create(client, { tools: [tool("echo", (input) => input)] });
    await worker.run("go");
    expect(worker.history[2]).toEqual({ type: "function_call_output", callId: "x", output: "{}" });
  });

  it("gives repeated and empty call ids names of their own (G7)", async () => {
    const client = new ScriptedClient(
      calls(["call_t", "t", ""], ["call_t", "t", ""], ["", "t", ""]),
      calls(["call_t", "t", ""]),
      text("ok"),
    );
    let n = 0;
    const worker = Worker.create(client, { tools: [tool("t", () => `result ${++n}`)] });
    await worker.run("go");
    const ids = worker.history.flatMap((item) => (item.type === "function_call" ? [item.callId] : []));
    expect(ids).toEqual(["call_t", "call_t_2", "call", "call_t_3"]);
    const answered = worker.history.flatMap((item) => (item.type === "function_call_output" ? [item.callId] : []));
    expect(answered).toEqual(ids);
  });

  it("counts maxTurns from the start of each run", async () => {
    const client = new ScriptedClient(...["1", "2", "3", "4"].map((id) => calls([id, "t", ""])), text("done"));
    const worker = Worker.create(client, { maxTurns: 2, tools: [tool("t", () => "ok")] });
    expect(await worker.run("go")).toMatchObject({ status: "limit_reached", turns: 2 });
    expect(types(worker.history).at(-1)).toBe("function_call_output");
    expect(await worker.resume()).toMatchObject({ status: "limit_reached", turns: 2 });
    expect(await worker.resume()).toMatchObject({ status: "finished", turns: 1, text: "done" });
    expect(worker.turnCount).toBe(5);
  });

  it.each(["max_tokens", "content_filter", "refusal", "context_exceeded"] as const)(
    "does not run the calls of an answer that ended with %s",
    async (stopReason) => {
      const client = new ScriptedClient(
        [...call("a", "t", "{}", 0), ...call("b", "t", '{"cut": "of', 1, stopReason)],
        text("ok"),
      );
      let ran = 0;
      const worker = Worker.create(client, { tools: [tool("t", () => ++ran)] });
      expect(await worker.run("go")).toMatchObject({ status: "incomplete", stopReason });
      expect(ran).toBe(0);
      expect(worker.history.slice(1)).toEqual([
        { type: "function_call", callId: "a", name: "t", arguments: "{}" },
        { type: "function_call_output", callId: "a", output: expect.stringContaining("not run"), isError: true },
      ]);
      expect((await worker.run("again")).status).toBe("finished");
    },
  );

  it("asks again, without tool results, when the provider pauses a long turn", async () => {
    const client = new ScriptedClient(text("Searching. ", "pause"), text("Found."));
    const worker = Worker.create(client);
    expect(await worker.run("go")).toMatchObject({ status: "finished", text: "Found.", turns: 2 });
  });

  it("never copies the history for a request", async () => {
    const seen: unknown[] = [];
    const remember = (answer: ReturnType<typeof text>) =>
      async function* (request: { items: unknown }) {
        seen.push(request.items);
        yield answer;
      };
    const client = new ScriptedClient(remember(calls(["1", "t", ""])), remember(text("ok")));
    const worker = Worker.create(client, { tools: [tool("t", () => "ok")] });
    await worker.run("go");
    expect(seen).toEqual([worker.history, worker.history]);
    expect(seen[0]).toBe(worker.history);
    expect(seen[1]).toBe(worker.history);
  });

  it("refuses a second run while one goes on", async () => {
    const gate = new Gate();
    const client = new ScriptedClient(async function* () {
      await gate.promise;
      yield text("ok");
    });
    const worker = Worker.create(client);
    const run = worker.run("one");
    await expect(worker.run("two")).rejects.toMatchObject({ code: "Busy" });
    gate.open();
    expect((await run).text).toBe("ok");
  });
});
