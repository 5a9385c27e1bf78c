import type { Event } from "@tsukumo/client";
import { describe, expect, it } from "vitest";
import {
  AnyEvent,
  type BlockKind,
  type BlockOf,
  blockKind,
  eventKind,
  TextBlock,
  TextBlockCollector,
  ThinkingBlock,
  ThinkingCollector,
  Timeline,
  ToolCallCollector,
  ToolUseBlock,
} from "../src/index.js";
import { call, text, thinking } from "./scripted.js";

function play(timeline: Timeline, events: readonly Event[]): void {
  for (const event of events) timeline.dispatch(event);
}

/** Takes one event of each list in turn. */
function interleave(...lists: readonly Event[][]): Event[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** Writes down what a kind's handlers see, each with the number of its scope. */
function recorder<B extends BlockOf<"text" | "thinking" | "tool_use">>(
  timeline: Timeline,
  kind: BlockKind<B>,
): string[] {
  const seen: string[] = [];
  let scopes = 0;
  timeline.onBlock(kind, {
    scope: () => ++scopes,
    onEvent: (scope, part) =>
      seen.push(`${scope} ${part.type} ${part.index}${part.type === "delta" ? ` ${part.text}` : ""}`),
  });
  return seen;
}

describe("collectors", () => {
  it("collect interleaved blocks without mixing them", () => {
    const timeline = new Timeline();
    const texts = new TextBlockCollector();
    const thoughts = new ThinkingCollector();
    const toolCalls = new ToolCallCollector();
    timeline.onBlock(TextBlock, texts);
    timeline.onBlock(ThinkingBlock, thoughts);
    timeline.onBlock(ToolUseBlock, toolCalls);
    play(
      timeline,
      interleave(
        thinking("why", 0),
        text("one two three", "end_turn", 1),
        call("a", "f", '{"x":1}', 2),
        call("b", "g", "", 3),
        call("c", "h", '{"cut', 4),
        text("four five", "end_turn", 5),
      ),
    );
    expect(thoughts.takeCollected()).toEqual(["why"]);
    expect(texts.collected()).toEqual(["four five", "one two three"]);
    expect(toolCalls.hasPendingCalls()).toBe(true);
    expect(toolCalls.takeCollected()).toEqual([
      { id: "b", name: "g", arguments: "", input: {} },
      { id: "a", name: "f", arguments: '{"x":1}', input: { x: 1 } },
      { id: "c", name: "h", arguments: '{"cut', input: undefined },
    ]);
    expect(toolCalls.hasPendingCalls()).toBe(false);
    texts.clear();
    expect(texts.hasContent()).toBe(false);
  });

  it("collect nothing of empty and aborted blocks", () => {
    const timeline = new Timeline();
    const texts = new TextBlockCollector();
    timeline.onBlock(TextBlock, texts);
    play(timeline, [...text("", "end_turn", 0).slice(0, 1), { type: "block_stop", index: 0 }]);
    play(timeline, text("broken off", "end_turn", 1).slice(0, -1));
    timeline.abortOpenBlocks("cancelled");
    expect(texts.collected()).toEqual([]);
  });
});

describe("scopes", () => {
  it("are one a block, keyed by type and index", () => {
    const timeline = new Timeline();
    const seen = recorder(timeline, TextBlock);
    play(timeline, interleave(text("a", "end_turn", 0), text("b", "end_turn", 1)));
    play(timeline, text("c", "end_turn", 0));
    expect(seen).toEqual([
      ...["1 start 0", "2 start 1", "1 delta 0 a", "2 delta 1 b", "1 stop 0", "2 stop 1"],
      ...["3 start 0", "3 delta 0 c", "3 stop 0"],
    ]);
  });

  it("begin with a start, also where the provider sent none", () => {
    const timeline = new Timeline();
    const seen = recorder(timeline, ThinkingBlock);
    play(timeline, [
      { type: "block_delta", index: 3, delta: { type: "thinking", text: "hm" } },
      { type: "block_stop", index: 3 },
      { type: "block_stop", index: 3 },
      { type: "block_delta", index: 4, delta: { type: "input_json", text: "{}" } },
    ]);
    expect(seen).toEqual(["1 start 3", "1 delta 3 hm", "1 stop 3"]);
  });

  it("end with an abort that handlers see: one block, all blocks, and a block whose index is taken", () => {
    const timeline = new Timeline();
    const seen = recorder(timeline, TextBlock);
    const toolSeen = recorder(timeline, ToolUseBlock);
    play(timeline, [
      ...text("a", "end_turn", 0).slice(0, 1),
      ...call("x", "f", "", 1).slice(0, 1),
      { type: "block_abort", index: 0, reason: "cut" },
      ...text("b", "end_turn", 2).slice(0, 1),
      ...text("c", "end_turn", 2).slice(0, 1),
    ]);
    expect(timeline.openBlocks().map(({ index }) => index)).toEqual([1, 2]);
    timeline.abortOpenBlocks("cancelled");
    timeline.abortOpenBlocks("cancelled");
    expect(seen).toEqual(["1 start 0", "1 abort 0", "2 start 2", "2 abort 2", "3 start 2", "3 abort 2"]);
    expect(toolSeen).toEqual(["1 start 1", "1 abort 1"]);
    expect(timeline.openBlocks()).toEqual([]);
  });
});

describe("handlers", () => {
  it("run in the order of registration, and not after they are taken away", () => {
    const timeline = new Timeline();
    const order: string[] = [];
    const handler = (name: string) => ({ scope: () => undefined, onEvent: () => void order.push(name) });
    timeline.on(AnyEvent, handler("first"));
    const remove = timeline.on(AnyEvent, handler("second"));
    timeline.on(AnyEvent, handler("third"));
    timeline.dispatch({ type: "ping" });
    remove();
    remove();
    timeline.dispatch({ type: "ping" });
    expect(order).toEqual(["first", "second", "third", "first", "third"]);
  });

  it("of events have one scope for good", () => {
    const timeline = new Timeline();
    const totals: number[] = [];
    const kind = eventKind("output tokens", (event) => (event.type === "usage" ? event.usage.outputTokens : undefined));
    timeline.on(kind, {
      scope: () => ({ total: 0 }),
      onEvent: (scope, tokens) => {
        scope.total += tokens;
        totals.push(scope.total);
      },
    });
    play(timeline, [
      { type: "usage", usage: { outputTokens: 2 } },
      { type: "ping" },
      { type: "usage", usage: { outputTokens: 5 } },
    ]);
    expect(totals).toEqual([2, 7]);
  });

  it("take custom kinds of blocks", () => {
    const timeline = new Timeline();
    const searches = blockKind(
      "searches",
      (block): block is BlockOf<"tool_use"> => block.type === "tool_use" && block.name === "search",
    );
    const seen = recorder(timeline, searches);
    play(timeline, [...call("a", "search", "{}", 0), ...call("b", "other", "{}", 1)]);
    expect(seen).toEqual(["1 start 0", "1 delta 0 {", "1 delta 0 }", "1 stop 0"]);
  });

  it("that throw stop nobody and are reported", () => {
    const failures: string[] = [];
    const timeline = new Timeline(({ kind, error }) => failures.push(`${kind}: ${error}`));
    timeline.onBlock(TextBlock, {
      scope: () => undefined,
      onEvent: () => {
        throw "bad handler";
      },
    });
    const texts = new TextBlockCollector();
    timeline.onBlock(TextBlock, texts);
    play(timeline, text("fine"));
    expect(texts.collected()).toEqual(["fine"]);
    expect(failures).toEqual(Array.from({ length: 3 }, () => "text: bad handler"));
  });

  it("that throw are thrown by a timeline without a listener, after the others have run", () => {
    const timeline = new Timeline();
    const seen: string[] = [];
    timeline.on(AnyEvent, {
      scope: () => undefined,
      onEvent: () => {
        throw new Error("bad handler");
      },
    });
    timeline.on(AnyEvent, { scope: () => undefined, onEvent: (_, event) => void seen.push(event.type) });
    expect(() => timeline.dispatch({ type: "ping" })).toThrow("bad handler");
    expect(seen).toEqual(["ping"]);
    expect(() => timeline.dispatch({ type: "ping" })).toThrow("bad handler");
  });
});
