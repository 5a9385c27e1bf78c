import type { Event, Item, RetryNotice } from "@tsukumo/client";
import { describe, expect, it } from "vitest";
import { Worker, type WorkerEvent, type WorkerSubscriber } from "../src/index.js";
import { call, calls, cut, ScriptedClient, text, thinking, usage } from "./scripted.js";
import { Gate, tool } from "./tools.js";

describe("a subscriber", () => {
  it("is told of blocks with scopes, completions, tools, usage, status and turns, in order", async () => {
    const first: Event[] = [
      { type: "status", status: "started" },
      ...thinking("hm", 0),
      ...text("hi you", "tool_use", 1),
      ...call("a", "t", '{"n":1}', 2, "tool_use"),
      usage({ outputTokens: 1 }),
      usage({ inputTokens: 2, outputTokens: 3 }),
      { type: "status", status: "completed" },
    ];
    const told: string[] = [];
    const subscriber: WorkerSubscriber<{ length: number }> = {
      newScope: () => ({ length: 0 }),
      onTextBlock: (scope, part) => {
        if (part.type === "delta") scope.length += part.text.length;
        told.push(`text ${part.type} ${scope.length}`);
      },
      onThinkingBlock: (_, part) => told.push(`thinking ${part.type}`),
      onToolUseBlock: (_, part) => told.push(`call ${part.type}`),
      onPartialArguments: (_, { callId }, value) => told.push(`partial ${callId} ${JSON.stringify(value)}`),
      onTextComplete: (complete) => told.push(`text complete ${complete}`),
      onThinkingComplete: (complete) => told.push(`thinking complete ${complete}`),
      onToolCallComplete: ({ callId, arguments: args }) => told.push(`call complete ${callId} ${args}`),
      onToolStart: ({ callId }) => told.push(`tool start ${callId}`),
      onToolEnd: ({ callId }, isError) => told.push(`tool end ${callId} ${isError}`),
      onToolResult: ({ callId }, { content }) => told.push(`tool result ${callId} ${content}`),
      onUsage: (counts) => told.push(`usage ${JSON.stringify(counts)}`),
      onStatus: (status) => told.push(status),
      onTurnStart: (turn) => told.push(`turn ${turn}`),
      onTurnEnd: (turn, stopReason) => told.push(`end ${turn} ${stopReason}`),
      onRunEnd: (outcome) => told.push("result" in outcome ? outcome.result.status : "failed"),
    };
    const worker = Worker.create(new ScriptedClient(first, text("")), { tools: [tool("t", () => "out")] });
    const unsubscribe = worker.subscribe(subscriber);
    await worker.run("go");
    expect(told).toEqual([
      ...["turn 1", "started", "thinking start", "thinking delta", "thinking stop", "thinking complete hm"],
      ...["text start 0", "text delta 3", "text delta 6", "text stop 6", "text complete hi you"],
      ...["call start", "call delta", "partial a {}", "call delta", 'partial a {"n":1}', "call stop"],
      ...['call complete a {"n":1}', "completed", 'usage {"inputTokens":2,"outputTokens":3}', "end 1 tool_use"],
      ...["tool start a", "tool end a false", "tool result a out"],
      ...["turn 2", "text start 0", "text delta 0", "text stop 0", "text complete ", "end 2 end_turn", "finished"],
    ]);
    unsubscribe();
    told.length = 0;
    await worker.run("go").catch(() => undefined);
    expect(told).toEqual([]);
  });

  it("hears of every item that joins the history, once it has", async () => {
    const client = new ScriptedClient(
      calls(["a", "t", ""]),
      cut([...text("Part. "), ...text("x", "end_turn", 1).slice(0, 2)]),
      text("ok"),
    );
    const worker = Worker.create(client, { tools: [tool("t", () => "out")] });
    const heard: Item[] = [];
    // Looked at afterwards: what a subscriber throws fails no run.
    const lengths: [number, number][] = [];
    worker.subscribe({
      onHistoryAppend: (items) => {
        heard.push(...items);
        lengths.push([worker.history.length, heard.length]);
      },
    });
    await worker.run("go");
    expect(heard).toEqual(worker.history);
    expect(lengths).toEqual([1, 2, 3, 4, 5].map((length) => [length, length]));
  });

  it("that throws is reported and stops nobody", async () => {
    const warnings: string[] = [];
    const other: string[] = [];
    const worker = Worker.create(new ScriptedClient(text("fine")), { onWarning: ({ code }) => warnings.push(code) });
    worker.subscribe({
      onTextBlock: () => {
        throw new Error("a");
      },
      onTurnEnd: () => {
        throw new Error("b");
      },
      onWarning: () => {
        throw new Error("c");
      },
    });
    worker.subscribe({
      onTextComplete: (complete) => other.push(complete),
      onTurnEnd: (turn) => other.push(`${turn}`),
    });
    expect((await worker.run("go")).text).toBe("fine");
    expect(other).toEqual(["fine", "1"]);
    expect(warnings).toEqual(["handler_failed", "handler_failed", "handler_failed", "subscriber_failed"]);
  });

  it("hears of retries, config warnings and provider errors", async () => {
    const notice: RetryNotice = { attempt: 1, delayMs: 5, cause: new Error("429") };
    const told: unknown[] = [];
    const client = new ScriptedClient(async function* (_, options) {
      options.onRetry?.(notice);
      yield [{ type: "error", code: "overloaded", message: "later" }];
    });
    client.warnings = [{ option: "topK", message: "not supported" }];
    const worker = Worker.create(client, { config: { topK: 3 } });
    worker.subscribe({
      onRetry: (heard) => told.push(heard),
      onWarning: ({ code, option }) => told.push(`${code} ${option}`),
      onError: ({ message }) => told.push(message),
    });
    await expect(worker.run("go")).rejects.toMatchObject({ code: "ModelError", reason: "overloaded" });
    expect(told).toEqual(["config topK", notice, "later"]);

    client.add(text("ok"));
    await worker.run("again");
    expect(told).toHaveLength(3);
  });

  it("strictConfig makes config warnings errors, before anything is sent", async () => {
    const client = new ScriptedClient(text("ok"));
    client.warnings = [{ option: "topK", message: "not supported" }];
    const worker = Worker.create(client, { strictConfig: true });
    await expect(worker.run("go")).rejects.toMatchObject({ code: "ConfigRejected" });
    expect(() => worker.validate()).toThrow(expect.objectContaining({ code: "ConfigRejected" }));
    expect(client.requests).toEqual([]);
  });
});

describe("the iterator", () => {
  it("gives what happens, then the result", async () => {
    const worker = Worker.create(new ScriptedClient(calls(["a", "t", '{"n":1}']), text("all done")), {
      tools: [tool("t", () => "out")],
    });
    const events: WorkerEvent[] = [];
    const stream = worker.stream("go");
    for await (const event of stream) events.push(event);
    expect(events.map((event) => event.type)).toEqual([
      ...["turn_start", "tool_call_start", "tool_call_delta", "tool_call_delta", "tool_call_complete", "turn_end"],
      ...["tool_start", "tool_end", "tool_result"],
      ...["turn_start", "text_start", "text_delta", "text_delta", "text_complete", "turn_end", "finished"],
    ]);
    expect(events.at(-1)).toEqual({ type: "finished", result: await stream.result });
  });

  it("does not let a slow consumer stall the run", async () => {
    const toolRan = new Gate();
    const worker = Worker.create(new ScriptedClient(calls(["a", "t", ""]), text("done")), {
      tools: [tool("t", () => toolRan.open())],
    });
    const stream = worker.stream("go");
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    // The consumer stands at its first event while the whole run goes by.
    await toolRan.promise;
    expect((await stream.result).text).toBe("done");
    const rest: string[] = [];
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) rest.push(next.value.type);
    expect(rest.at(-1)).toBe("finished");
  });

  it("throws the run's error after the last event", async () => {
    const worker = Worker.create(new ScriptedClient(cut(text("begun").slice(0, 2))), { maxContinuations: 0 });
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const event of worker.stream("go")) seen.push(event.type);
    };
    await expect(read()).rejects.toMatchObject({ code: "StreamBroken" });
    expect(seen).toEqual(["turn_start", "text_start", "text_delta", "block_abort", "turn_end"]);
  });

  it("cancels the run when it is left early", async () => {
    const client = new ScriptedClient(async function* () {
      yield text("one two").slice(0, 2);
      await new Promise(() => undefined);
    });
    const worker = Worker.create(client);
    const stream = worker.stream("go");
    for await (const event of stream) if (event.type === "text_delta") break;
    await expect(stream.result).rejects.toMatchObject({ code: "Cancelled" });
    expect(worker.running).toBe(false);
  });
});
