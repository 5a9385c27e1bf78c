/** A template reads a line exactly as JSON.parse does, or leaves it alone. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Template } from "../src/scheme/template.js";

const SHAPE = { text: "a.0.text", ignored: ["id", "n", "meta."] };

function read(template: Template | undefined, line: string): string | undefined {
  const padded = `xx${line}\nrest`;
  if (template === undefined || !template.matches(padded, 2, 2 + line.length)) return undefined;
  return template.text(padded);
}

function textIn(line: string): unknown {
  return JSON.parse(line).a[0].text;
}

const LEARNED = '{"id":"r1","a":[{"text":"Hi","more":null}],"n":7,"meta":{"x":1,"y":["z"]}}';

describe("a learned line", () => {
  const template = Template.learn(LEARNED, SHAPE);

  test.each([
    ["itself", LEARNED],
    ["another text", LEARNED.replace("Hi", "Ho, 世界")],
    ["no text", LEARNED.replace("Hi", "")],
    ["escapes", LEARNED.replace("Hi", '\\n\\"\\\\\\/\\u00e9\\ud83d\\ude42\\t')],
    [
      "ignored fields",
      LEARNED.replace("r1", "r2222").replace('"n":7', '"n":10').replace('"x":1', '"x":0').replace('"z"', '""'),
    ],
    ["space before the last brace", LEARNED.replace(/\}$/, "     }")],
    ["space after it", `${LEARNED}  `],
  ])("reads %s", (_title, line) => {
    expect(read(template, line)).toBe(textIn(line));
  });

  test.each([
    ["another structure", LEARNED.replace('"more":null', '"more":1')],
    ["a text of another type", LEARNED.replace('"Hi"', "null")],
    ["an escape that is none", LEARNED.replace("Hi", "\\x")],
    ["a broken unicode escape", LEARNED.replace("Hi", "\\u12g4")],
    ["a control character", LEARNED.replace("Hi", "a\tb")],
    ["a number with a leading zero", LEARNED.replace('"n":7', '"n":07')],
    ["a fraction", LEARNED.replace('"n":7', '"n":7.5')],
    ["a negative number", LEARNED.replace('"n":7', '"n":-7')],
    ["an escape in an ignored string", LEARNED.replace("r1", "r\\n")],
    ["a line that is cut", LEARNED.slice(0, -1)],
    ["a cut text", LEARNED.slice(0, 25)],
    ["something after it", `${LEARNED}x`],
    ["an element more", LEARNED.replace('"z"', '"z","z"')],
    ["nothing", ""],
  ])("leaves %s alone", (_title, line) => {
    expect(read(template, line)).toBeUndefined();
  });
});

test.each([
  ["without the text", '{"id":"r1","a":[{"text":null}]}'],
  ["with the text twice", '{"a":[{"text":"x","text":"y"}]}'],
  ["with the text's place twice", '{"a":[{"text":"x"}],"a":[{"text":"y"}]}'],
  ["that is no object", '["x"]'],
])("a line %s is not learned", (_title, line) => {
  expect(Template.learn(line, SHAPE)).toBeUndefined();
});

test("whatever a line says, a match means the same as JSON.parse", () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const line = fc.record({
    id: value,
    text: fc.oneof(fc.string({ unit: "grapheme" }), value),
    n: value,
    m: value,
    gap: fc.nat(3),
  });
  const print = ({ id, text, n, m, gap }: { id: unknown; text: unknown; n: unknown; m: unknown; gap: number }) =>
    `${JSON.stringify({ id, a: [{ text }], n, meta: { m } }).slice(0, -1)}${" ".repeat(gap)}}`;
  fc.assert(
    fc.property(line, line, (first, second) => {
      const template = Template.learn(print(first), SHAPE);
      for (const candidate of [first, second, { ...second, id: first.id, n: first.n, m: first.m }]) {
        const found = read(template, print(candidate));
        if (found !== undefined) expect(found).toBe(textIn(print(candidate)));
      }
      const plain = [first.id, first.n, first.m].every((ignored) => typeof ignored !== "string");
      if (plain && typeof first.text === "string") expect(read(template, print(first))).toBe(first.text);
    }),
    { numRuns: 500 },
  );
});
