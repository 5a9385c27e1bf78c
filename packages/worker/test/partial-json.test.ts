import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PartialJson } from "../src/index.js";

describe("partial JSON", () => {
  const values = [
    { a: 1, b: [true, null, -1.5e3, "x"], c: { d: 'é\n"\\ \u{1f600}', "": {} }, e: [] },
    [[], {}, [[1, 2], "three"]],
    { __proto__: null, nested: { toString: "own", deep: [{ k: "v" }] } },
    { text: "a long text with \u2028 and \t escapes, and [brackets] {braces}: ," },
  ];

  it.each(values)("ends as JSON.parse does, for any split: %j", (value) => {
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2), asciiOnly(JSON.stringify(value))]) {
      for (const size of [1, 2, 3, 7, json.length]) {
        const partial = new PartialJson();
        for (let at = 0; at < json.length; at += size) partial.push(json.slice(at, at + size));
        expect(partial.value).toEqual(JSON.parse(json));
      }
    }
  });

  it.each([
    ["", {}],
    ['{"city": "San Fr', { city: "San Fr" }],
    ['{"city": "x", "da', { city: "x" }],
    ['{"days": [1, 2', { days: [1] }],
    ['{"days": ["mo", "t', { days: ["mo", "t"] }],
    ['{"a": tru', {}],
    ['{"a": "\\u00', { a: "" }],
    ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}')],
  ])("shows what there is of %s", (json, expected) => {
    const partial = new PartialJson();
    for (const char of json) partial.push(char);
    expect(partial.value).toEqual(expected);
  });

  it("ends as JSON.parse does for any value and any split, and never throws on the way", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.nat(9)), fc.constantFrom(0, 2), (value, sizes, indent) => {
        // Within an object, as arguments are: a number alone has no end that could be seen.
        const json = JSON.stringify({ value }, null, indent);
        const partial = new PartialJson();
        let at = 0;
        for (const size of [...sizes, json.length]) {
          partial.push(json.slice(at, at + size));
          at += size;
          expect(() => JSON.stringify(partial.value)).not.toThrow();
        }
        expect(JSON.stringify(partial.value)).toBe(JSON.stringify(JSON.parse(json)));
      }),
    );
  });

  it("never throws on text that is not JSON", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("{", "}", "[", "]", '"', ":", ",", "\\", "u", "1", "-", "true", " ", "x")),
        (parts) => {
          const partial = new PartialJson();
          for (const part of parts) partial.push(part);
          expect(() => JSON.stringify(partial.value)).not.toThrow();
        },
      ),
    );
  });

  it("stays at what it was when the text is not JSON", () => {
    const partial = new PartialJson();
    partial.push('{"a": 1, "b": nope, "c": 2}');
    expect(partial.value).toEqual({ a: 1 });
  });
});

function asciiOnly(json: string): string {
  return json.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
