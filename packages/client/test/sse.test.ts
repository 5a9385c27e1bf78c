/** The event-stream format, case by case from https://html.spec.whatwg.org/multipage/server-sent-events.html */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Utf8Stream } from "../src/framing/utf8.js";
import { ClientError } from "../src/index.js";
import { SseFramer } from "../src/sse.js";

type Frame = readonly [name: string, data: string];

function frames(bytes: Uint8Array, cuts: readonly number[] = [], maxEventBytes?: number): Frame[] {
  const seen: Frame[] = [];
  const framer = new SseFramer(
    { event: (name, text, start, end) => seen.push([name, text.slice(start, end)]) },
    maxEventBytes,
  );
  const utf8 = new Utf8Stream();
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    framer.push(utf8.push(bytes.slice(from, cut)), utf8.ascii);
    from = cut;
  }
  framer.push(utf8.end(), false);
  framer.end();
  return seen;
}

const encode = (text: string) => new TextEncoder().encode(text);

const CASES: readonly (readonly [title: string, stream: string, frames: readonly Frame[]])[] = [
  ["data and a blank line", "data: a\n\n", [["", "a"]]],
  [
    "CR",
    "data: a\r\rdata: b\r\r",
    [
      ["", "a"],
      ["", "b"],
    ],
  ],
  [
    "CRLF",
    "data: a\r\n\r\ndata: b\r\n\r\n",
    [
      ["", "a"],
      ["", "b"],
    ],
  ],
  [
    "mixed line ends",
    "data: a\n\r\ndata: b\r\n\rdata: c\r\n\n",
    [
      ["", "a"],
      ["", "b"],
      ["", "c"],
    ],
  ],
  ["a byte order mark", "\uFEFFdata: a\n\n", [["", "a"]]],
  ["a second byte order mark is no mark", "\uFEFF\uFEFFdata: a\n\n", []],
  ["several data lines", "data: a\ndata: b\ndata:\ndata: c\n\n", [["", "a\nb\n\nc"]]],
  [
    "an event name",
    "event: add\ndata: a\n\ndata: b\n\n",
    [
      ["add", "a"],
      ["", "b"],
    ],
  ],
  ["the last name counts", "event: a\nevent: b\ndata: x\n\n", [["b", "x"]]],
  ["a name without data is forgotten", "event: a\n\ndata: x\n\n", [["", "x"]]],
  ["comments", ": hello\ndata: a\n:\n:x\n\n", [["", "a"]]],
  [
    "only one space is taken away",
    "data:a\n\ndata:  b\n\n",
    [
      ["", "a"],
      ["", " b"],
    ],
  ],
  [
    "a field without a colon",
    "data\n\ndata\ndata\n\n",
    [
      ["", ""],
      ["", "\n"],
    ],
  ],
  ["empty data", "data:\n\n", [["", ""]]],
  ["a colon in the value", "data: a: b\n\n", [["", "a: b"]]],
  ["unknown fields", "foo: bar\nDATA: x\n data: y\ndatas: z\ndata: a\n\n", [["", "a"]]],
  ["an event that the stream ends in is dropped", "data: a\n\ndata: b\n", [["", "a"]]],
  ["a line that the stream ends in is dropped", "data: a\n\ndata: b", [["", "a"]]],
  ["a NUL in the data", "data: \0\n\n", [["", "\0"]]],
  ["other Unicode line ends are text", "data: a\u2028b\u0085c\n\n", [["", "a\u2028b\u0085c"]]],
  ["the test of the specification with +", "data: YHOO\ndata: +2\ndata: 10\n\n", [["", "YHOO\n+2\n10"]]],
  ["blank lines", "\n\n\ndata: a\n\n\n\n", [["", "a"]]],
  ["characters of all lengths", "data: é世🙂\n\n", [["", "é世🙂"]]],
];

describe("frames", () => {
  test.each(CASES)("%s", (_title, stream, expected) => {
    const bytes = encode(stream);
    expect(frames(bytes)).toEqual(expected);
    const everywhere = Array.from({ length: bytes.length }, (_, at) => at);
    expect(frames(bytes, everywhere), "byte by byte").toEqual(expected);
    for (const cut of everywhere) expect(frames(bytes, [cut]), `cut at ${cut}`).toEqual(expected);
  });

  test("id and retry", () => {
    const framer = new SseFramer({ event: () => undefined });
    framer.push("id: 7\nretry: 1500\n\n", true);
    expect([framer.lastEventId, framer.retryMs]).toEqual(["7", 1500]);
    framer.push("id: a\0b\nretry: 1.5\nretry: -1\nretry:\n\n", true);
    expect([framer.lastEventId, framer.retryMs]).toEqual(["7", 1500]);
    framer.push("id\n\n", true);
    expect(framer.lastEventId).toBe("");
  });

  test("comments are told", () => {
    let comments = 0;
    const framer = new SseFramer({ event: () => undefined, comment: () => comments++ });
    framer.push(": a\n:\r\ndata: :\n\n", true);
    expect(comments).toBe(2);
  });

  test("end gives an event without its blank line to those who want it", () => {
    const framer = new SseFramer({ event: () => undefined });
    framer.push("event: x\ndata: a\ndata: b", true);
    expect(framer.end()).toEqual({ name: "x", data: "a\nb" });
    expect(framer.end()).toBeUndefined();
  });

  test("bytes that are no UTF-8 become U+FFFD, the same in every split", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.array(fc.nat(60), { maxLength: 6 }), (noise, at) => {
        const bytes = new Uint8Array([...encode("data: "), ...noise, ...encode("\n\n")]);
        const whole = frames(bytes);
        const cuts = at.filter((cut) => cut < bytes.length).sort((a, b) => a - b);
        expect(frames(bytes, cuts)).toEqual(whole);
      }),
    );
    const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
    const broken = new Uint8Array([0xe0, 0x80, 0x41, 0xf0, 0x9f, 0x98, 0xc3, 0x42, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0xff]);
    const bytes = new Uint8Array([...encode("data: "), ...broken, ...encode("\n\n")]);
    expect(frames(bytes, [7, 8, 10, 11, 15, 17])).toEqual([["", utf8.decode(broken)]]);
  });

  test("any text comes through any split", () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, ""));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.constantFrom("\n", "\r", "\r\n"),
        fc.array(fc.nat(200)),
        (lines, end, at) => {
          const bytes = encode(lines.map((text) => `data: ${text}${end}`).join("") + end);
          const cuts = at.filter((cut) => cut < bytes.length).sort((a, b) => a - b);
          expect(frames(bytes, cuts)).toEqual([["", lines.join("\n")]]);
        },
      ),
    );
  });
});

describe("the bound", () => {
  const tooLarge = expect.objectContaining({ code: "event_too_large" });
  const caught = (run: () => unknown): unknown => {
    try {
      run();
      return undefined;
    } catch (error) {
      return error;
    }
  };

  test.each([
    ["one line", `data: ${"x".repeat(100)}\n\n`],
    ["many lines", `data: xxxx\n`.repeat(20)],
    ["a line without an end", `data: ${"x".repeat(100)}`],
    ["a comment", `:${"x".repeat(100)}`],
    ["characters of three bytes", `data: ${"世".repeat(30)}\n\n`],
  ])("%s", (_title, stream) => {
    const bytes = encode(stream);
    expect(caught(() => frames(bytes, [], 80))).toEqual(tooLarge);
    const everywhere = Array.from({ length: bytes.length }, (_, at) => at);
    expect(caught(() => frames(bytes, everywhere, 80))).toEqual(tooLarge);
    expect(caught(() => frames(bytes, [], 80))).toBeInstanceOf(ClientError);
  });

  test("counts one event, not the stream", () => {
    const bytes = encode("data: 1234567890\n\n".repeat(100));
    expect(frames(bytes, [], 20)).toHaveLength(100);
    expect(frames(encode(`data: ${"世".repeat(10)}\n\n`), [3, 8, 9], 36)).toHaveLength(1);
  });
});
