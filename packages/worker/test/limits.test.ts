import { type Item, userMessage } from "@tsukumo/client";
import { describe, expect, it } from "vitest";
import { pruneOldOutputs, Worker } from "../src/index.js";
import { calls, ScriptedClient, text, usage } from "./scripted.js";
import { tool } from "./tools.js";

describe("the output limit", () => {
  it.each([
    ["shorter than the limit", "short", 10, "short"],
    ["as long as the limit", "0123456789", 10, "0123456789"],
    ["longer in bytes than in characters", "日本語", 9, "日本語"],
    ["over a limit that no marker fits in", "日本語", 8, "日本"],
    ["far over it", "0123456789".repeat(100), 70, expect.stringMatching(/^0123.*middle was left out.*789$/s)],
  ])("cuts an output %s", async (_, output, limit, expected) => {
    const worker = Worker.create(new ScriptedClient(calls(["a", "t", ""]), text("ok")), {
      maxToolOutputBytes: (meta) => (meta.name === "t" ? limit : undefined),
      tools: [tool("t", () => output)],
    });
    await worker.run("go");
    const item = worker.history[2];
    const shown = item?.type === "function_call_output" ? item.output : undefined;
    expect(shown).toEqual(expected);
    expect(new TextEncoder().encode(String(shown)).length).toBeLessThanOrEqual(limit);
  });

  it("never splits a character, wherever the cut falls", async () => {
    const output = "aé日😀".repeat(60);
    for (let limit = 60; limit < 120; limit++) {
      const worker = Worker.create(new ScriptedClient(calls(["a", "t", ""]), text("ok")), {
        maxToolOutputBytes: limit,
        tools: [tool("t", () => output)],
      });
      await worker.run("go");
      const item = worker.history[2];
      const shown = item?.type === "function_call_output" ? String(item.output) : "";
      expect(shown).not.toContain("\ufffd");
      expect(new TextEncoder().encode(shown).length).toBeLessThanOrEqual(limit);
    }
  });

  it("applies after PostToolCall, with the caller's own way to cut", async () => {
    const worker = Worker.create(new ScriptedClient(calls(["a", "t", ""]), text("ok")), {
      maxToolOutputBytes: 4,
      truncate: (output, maxBytes, meta) => `${meta.name}${output.slice(0, maxBytes - 1)}`,
      tools: [tool("t", () => "raw")],
      hooks: {
        PostToolCall: (context) => {
          context.result = { ...context.result, content: "changed" };
        },
      },
    });
    await worker.run("go");
    expect(worker.history[2]).toMatchObject({ output: "tcha" });
  });
});

describe("pruning", () => {
  const note = expect.stringContaining("removed");
  const big = "x".repeat(4000);

  function scene(turns: number, maxTokens: number) {
    const client = new ScriptedClient(
      ...Array.from({ length: turns }, (_, at) => calls([`c${at}`, "t", "{}"])),
      text("done"),
    );
    const worker = Worker.create(client, {
      prune: pruneOldOutputs({ maxTokens, keepLast: 1 }),
      tools: [tool("t", () => big)],
    });
    return { client, worker };
  }

  const outputs = (items: readonly Item[]) =>
    items.flatMap((item) => (item.type === "function_call_output" ? [item.output] : []));

  it("leaves old outputs out of requests and not out of the history", async () => {
    const { client, worker } = scene(4, 2500);
    await worker.run("go");
    expect(outputs(client.requests[2]?.items ?? [])).toEqual([big, big]);
    expect(outputs(client.requests[3]?.items ?? [])).toEqual([note, note, big]);
    expect(outputs(client.requests[4]?.items ?? [])).toEqual([note, note, big, big]);
    expect(outputs(worker.history)).toEqual([big, big, big, big]);
  });

  it("counts from what the provider measured", async () => {
    const client = new ScriptedClient(
      [...calls(["a", "t", "{}"]), usage({ inputTokens: 10 })],
      [...calls(["b", "t", "{}"]), usage({ inputTokens: 5000 })],
      text("done"),
    );
    const worker = Worker.create(client, {
      prune: pruneOldOutputs({ maxTokens: 5500, keepLast: 0 }),
      tools: [tool("t", () => big)],
    });
    await worker.run("go");
    expect(outputs(client.requests[1]?.items ?? [])).toEqual([big]);
    expect(outputs(client.requests[2]?.items ?? [])).toEqual([note, note]);
  });

  it("never touches what a locked worker has sent, and keeps what was pruned before pruned, in other processes too", async () => {
    const { client, worker } = scene(3, 2500);
    await worker.run("go");
    const locked = worker.lock();
    const before = outputs(client.requests[3]?.items ?? []);
    client.add(...["d", "e", "f"].map((id) => calls([id, "t", "{}"])), text("done"));
    await locked.run("more");
    for (const { items } of client.requests.slice(4)) expect(outputs(items).slice(0, 3)).toEqual(before);
    expect(outputs(client.requests.at(-1)?.items ?? [])).toEqual([...before, big, big, big]);

    client.add(text("done"));
    const resumed = Worker.resume(client, locked.snapshot(), {
      prune: pruneOldOutputs({ maxTokens: 10, keepLast: 0 }),
      tools: [tool("t", () => big)],
    });
    await resumed.run(userMessage("again"));
    const [previous, last] = client.requests.slice(-2);
    expect(last?.items.slice(0, previous?.items.length)).toEqual(previous?.items);
  });
});
