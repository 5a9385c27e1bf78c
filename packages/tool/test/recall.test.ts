import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ToolDefinition, ToolOutput, ToolRegistry, toolMeta } from "../src/index.js";
import { MemorySpillSink, recallTool, SpillError } from "../src/spill/index.js";
import { byteLength, truncated } from "../src/truncation/index.js";

const LINES = "one\ntwo\nThree\nfour\nfive\n";

describe("recall", () => {
  it.each<[args: object, content: string]>([
    [{}, LINES],
    [{ start: 4 }, "two\nThree\nfour\nfive\n"],
    [{ start: 4, end: 7 }, "two"],
    [{ start: 99 }, ""],
    [{ start: 7, end: 3 }, ""],
    [{ head: 2 }, "1: one\n2: two"],
    [{ tail: 2 }, "4: four\n5: five"],
    [{ head: 0 }, "[no such lines]"],
    [{ tail: 0 }, "[no such lines]"],
    [{ tail: 99 }, "1: one\n2: two\n3: Three\n4: four\n5: five"],
    [{ grep: "o" }, "1: one\n2: two\n4: four"],
    [{ grep: "o", tail: 1 }, "4: four"],
    [{ grep: "t" }, "2: two"],
    [{ grep: "T", ignore_case: true }, "2: two\n3: Three"],
    [{ grep: ".*" }, "[no such lines]"],
    [{ start: 8, head: 1 }, "3: Three"],
    [{ start: "4", end: "7" }, "two"],
  ])("with %j gives %j", async (args, content) => {
    const sink = new MemorySpillSink();
    const ref = sink.spill({ toolName: "t" }, LINES);
    expect((await ToolRegistry.of(recallTool(sink)).dispatch("recall", { ref, ...args })).content).toBe(content);
  });

  it.each<[args: object, code: string]>([
    [{}, "InvalidArgument"],
    [{ ref: "none" }, "NotFound"],
    [{ ref: "none", start: -1 }, "InvalidArgument"],
    [{ ref: "none", start: 1.5 }, "InvalidArgument"],
    [{ ref: "none", head: 1, tail: 1 }, "InvalidArgument"],
    [{ ref: "none", more: 1 }, "InvalidArgument"],
  ])("refuses %j with %s", async (args, code) => {
    await expect(ToolRegistry.of(recallTool(new MemorySpillSink())).dispatch("recall", args)).rejects.toMatchObject({
      code,
    });
  });

  it("moves a range that splits a character inwards", async () => {
    const sink = new MemorySpillSink();
    const ref = sink.spill({ toolName: "t" }, "日本語");
    const registry = ToolRegistry.of(recallTool(sink));
    expect((await registry.dispatch("recall", { ref, start: 1, end: 8 })).content).toBe("本");
  });

  it("pages through what is too long, losing nothing", async () => {
    const sink = new MemorySpillSink();
    const text = Array.from({ length: 900 }, (_, index) => `行 ${index}\n`).join("");
    const ref = sink.spill({ toolName: "t" }, text);
    const registry = ToolRegistry.of(recallTool(sink, { name: "more", maxBytes: 1000 }));
    let read = "";
    for (let start: number | undefined = 0; start !== undefined; ) {
      const { content } = await registry.dispatch("more", { ref, start });
      expect(byteLength(content)).toBeLessThanOrEqual(1000);
      const next = /\n\[bytes \d+ to \d+ of \d+; read on with start=(\d+)\]$/.exec(content);
      read += next === null ? content : content.slice(0, next.index);
      start = next === null ? undefined : Number(next[1]);
    }
    expect(read).toBe(text);
    const lines = await registry.dispatch("more", { ref, grep: "行" });
    expect(byteLength(lines.content)).toBeLessThanOrEqual(1000);
    expect(lines.content).toContain("select fewer");
  });

  it("finds references that a marker escaped, and tells of a broken sink", async () => {
    const odd = { spill: () => "", recall: (ref: string) => (ref === "a/b c" ? "found" : undefined) };
    expect((await ToolRegistry.of(recallTool(odd)).dispatch("recall", { ref: "a%2Fb%20c" })).content).toBe("found");
    const broken = {
      spill: () => "",
      recall: () => Promise.reject(new SpillError("StorageFailed", "no disk")),
    };
    await expect(ToolRegistry.of(recallTool(broken)).dispatch("recall", { ref: "x" })).rejects.toMatchObject({
      code: "ExecutionFailed",
      message: "no disk",
    });
  });
});

describe("truncated", () => {
  const giving = (content: string, more: object = {}): ToolDefinition => {
    const meta = toolMeta({ name: "t", ...more });
    return () => [
      meta,
      { execute: async () => new ToolOutput(content, { metadata: { own: 1 }, structured: content }) },
    ];
  };

  it("cuts, keeps, and what the marker names is recalled", async () => {
    const sink = new MemorySpillSink();
    const text = `${"<|im_start|>".repeat(20)}${"日本\n".repeat(300)}end`;
    const registry = ToolRegistry.of(truncated(giving(text), { maxBytes: 400, sink }), recallTool(sink));
    const output = await registry.dispatch("t");
    expect(byteLength(output.content)).toBeLessThanOrEqual(400);
    expect(output.structured).toBeUndefined();
    const [, start, end, total, ref] =
      /bytes (\d+) to (\d+) of (\d+) omitted; recall them with ref "(.*)"/.exec(output.content) ?? [];
    expect(output.metadata).toEqual({
      own: 1,
      truncation: { originalBytes: Number(total), omitted: { start: Number(start), end: Number(end) }, ref },
    });
    const [head, tail] = output.content.split(/\n\[\.\.\. .* \.\.\.\]\n/);
    const omitted = await registry.dispatch("recall", { ref, start: Number(start), end: Number(end) });
    expect(`${head}${omitted.content}${tail}`).toBe(text.replaceAll("<|", "&lt;|"));
  });

  it("leaves short outputs as they are", async () => {
    const output = await ToolRegistry.of(truncated(giving("short"), { maxBytes: 5 })).dispatch("t");
    expect(output).toMatchObject({ content: "short", structured: "short", metadata: { own: 1 } });
  });

  it("says what a broken sink lost", async () => {
    const sink = { spill: () => Promise.reject(new SpillError("Rejected", "no")), recall: () => undefined };
    const output = await ToolRegistry.of(truncated(giving("x".repeat(500)), { maxBytes: 300, sink })).dispatch("t");
    expect(output.content).toContain("lost");
    expect(output.metadata.truncation).toMatchObject({ spillError: "Rejected" });
  });

  it("stays in budget after the floor, whatever the cut brings together", async () => {
    const piece = fc.constantFrom(
      "<thinker",
      "<|im_start|>",
      "[INSTANCE",
      "\nHuman:",
      "a",
      "\n",
      "<",
      "日",
      "<sos",
      ">",
    );
    const text = fc.array(piece, { minLength: 20, maxLength: 80 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 0, max: 120 }), async (content, maxBytes) => {
        const output = await ToolRegistry.of(truncated(giving(content), { maxBytes })).dispatch("t");
        expect(byteLength(output.content)).toBeLessThanOrEqual(maxBytes);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps the raw text of a tool that opted out", async () => {
    const sink = new MemorySpillSink();
    const registry = new ToolRegistry({ outputFloor: "none" }).with(
      truncated(giving("<|im_start|>".repeat(50), { sanitize: "none" }), { maxBytes: 200, sink }),
    );
    const output = await registry.dispatch("t");
    expect(output.content.startsWith("<|im_start|>")).toBe(true);
    expect(() => truncated(giving(""), { maxBytes: -1 })).toThrow(RangeError);
  });
});
