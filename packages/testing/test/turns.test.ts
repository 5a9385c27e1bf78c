/** Every scheme's builder streams what was scripted, and the schemes agree on its events. */
import { expect, test } from "vitest";
import { type Event, type SchemeName, schemes } from "../../client/src/index.js";
import { eventTurn, type ScriptedTurn, turnBuilders } from "../src/index.js";

const NAMES: readonly SchemeName[] = ["anthropic", "openai-chat", "openai-responses", "gemini", "ollama"];

function decode(name: SchemeName, stream: string): Event[] {
  const decoder = schemes[name].decoder();
  return [...decoder.push(new TextEncoder().encode(stream)), ...decoder.end()];
}

/** Without what only some wires can tell: what must be sent back. */
function plain(events: readonly Event[]): Event[] {
  return events.map((event) => {
    if (event.type !== "block_stop") return event;
    const { reasoning: _, ...rest } = event;
    return rest;
  });
}

const TURNS: readonly (readonly [string, Omit<ScriptedTurn, "stopReason">])[] = [
  ["text", { text: "Hello, 世界! How are you today?" }],
  ["thinking and text", { thinking: "Let me think about it.", text: "Done.", deltaSize: 3 }],
  ["a call", { toolCalls: [{ id: "c1", name: "f", args: { city: 'Pa"ris' } }], deltaSize: 1000 }],
  [
    "all at once",
    {
      thinking: "Hm.",
      text: "Now.",
      toolCalls: [
        { id: "c1", name: "f", args: { a: [1] } },
        { id: "c2", name: "g", args: {} },
      ],
      usage: { inputTokens: 100, outputTokens: 20 },
    },
  ],
];

test.each(TURNS.flatMap(([title, turn]) => NAMES.map((name) => [title, name, turn] as const)))(
  "%s on %s",
  (_title, name, turn) => {
    const events = plain(decode(name, turnBuilders[name](turn)));
    const ignored = (event: Event) =>
      event.type === "usage"
        ? { ...event, usage: { ...event.usage, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 } }
        : event;
    expect(events.map(ignored)).toEqual(eventTurn(turn).flat().map(ignored));
  },
);

test("a call without arguments has no deltas, or an empty object where the wire demands one", () => {
  for (const name of NAMES) {
    const events = decode(name, turnBuilders[name]({ toolCalls: [{ id: "c", name: "f" }] }));
    const text = events.map((event) => (event.type === "block_delta" ? event.delta.text : "")).join("");
    expect(["", "{}"], name).toContain(text);
  }
});

test("counts come through", () => {
  const usage = { inputTokens: 100, outputTokens: 30, cacheReadTokens: 60, reasoningTokens: 10 };
  for (const name of NAMES) {
    const told = decode(name, turnBuilders[name]({ text: "x", usage })).find((event) => event.type === "usage")?.usage;
    expect(told, name).toMatchObject({ inputTokens: 100, outputTokens: 30, totalTokens: 130 });
    if (name !== "ollama") expect(told, name).toMatchObject({ cacheReadTokens: 60, reasoningTokens: 10 });
  }
});
