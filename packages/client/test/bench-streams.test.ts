/** The benchmark times answers that are whole, and that say the same on every wire. */
import { expect, test, vi } from "vitest";
import { STREAMS } from "../bench/streams.mjs";
import { type SchemeName, schemes } from "../src/index.js";
import { decodeText, expectWellFormed } from "./support/decode.js";

const names = Object.keys(schemes).filter((name): name is SchemeName => name in schemes);

test.each(names)("%s", (name) => {
  const events = decodeText(name, STREAMS[name](100));
  expectWellFormed(events);
  const text = (from: typeof events) =>
    from.map((event) => (event.type === "block_delta" ? event.delta.text : "")).join("");
  expect(text(events)).toBe(text(decodeText("anthropic", STREAMS.anthropic(100))));
  expect(events.filter((event) => event.type === "unhandled")).toEqual([]);
  expect(events.at(-1)).toEqual({ type: "status", status: "completed" });
});

test.each(names)("%s: a long answer is read without parsing its lines", (name) => {
  const stream = STREAMS[name](600);
  const parse = vi.spyOn(JSON, "parse");
  try {
    decodeText(name, stream);
    const lines = parse.mock.calls.filter(([text]) => text.startsWith("{"));
    expect(lines.length).toBeLessThan(24);
  } finally {
    parse.mockRestore();
  }
});

test.each([
  ["openai-chat", /chatcmpl-\w+/g],
  ["openai-responses", /msg_\w+/g],
] as const)("%s: a server that gives every line another id", (name, id) => {
  let lines = 0;
  const stream = STREAMS[name](600).replace(id, () => `id-${lines++}`);
  const reference = decodeText(name, stream, { reference: true });
  const parse = vi.spyOn(JSON, "parse");
  try {
    expect(decodeText(name, stream)).toEqual(reference);
    expect(parse.mock.calls.filter(([text]) => text.startsWith("{")).length).toBeLessThan(30);
  } finally {
    parse.mockRestore();
  }
});
