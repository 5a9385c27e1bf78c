/** Random templates: what ships gives what the renderer of the build gives. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { run, withParams } from "./run.js";

const PARAMS = [
  "s = str",
  "n = int",
  "f = float",
  "b = bool",
  "xs = list(str)",
  "o = option(str)",
  "e = enum(A, B(n=int))",
];

const scalar = fc.constantFrom(
  "s",
  "n",
  "f",
  "b",
  "len(xs)",
  "len(s)",
  "kind(e)",
  '"q"',
  "s | upper",
  "s | limit(2)",
  "f | fixed(2)",
  "n | add(2)",
  'xs | join("-")',
  "xs | tojson",
  "s | truncate(3)",
  "s | fence",
  's | quarantine("t")',
  "s | escape_xml",
  "s | escape_json",
);
const condition = fc.constantFrom(
  "b",
  "s",
  "xs",
  "n > 1",
  "f <= 2.5",
  's == "a"',
  "!b && n != 0",
  "b || has(o)",
  '"a" in xs',
  'has(o) && o != "a"',
);
const plain = fc.string().map((text) => text.replace(/[{}\n\r]|^>/g, "."));

const body = fc.letrec<{ nodes: string; node: string }>((tie) => ({
  nodes: fc.array(tie("node"), { maxLength: 4 }).map((parts) => parts.join("")),
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    plain,
    scalar.map((value) => `{{ ${value} }}`),
    fc
      .tuple(condition, tie("nodes"), tie("nodes"))
      .map(([test, yes, no]) => `{% if ${test} %}${yes}{% else %}${no}{% /if %}`),
    tie("nodes").map((inner) => `{% for LOOP in xs %}{{ idx(LOOP) }}{{ LOOP }}${inner}{% else %}none{% /for %}`),
    fc
      .tuple(tie("nodes"), tie("nodes"))
      .map(([a, c]) => `{% match e %}{% case A %}${a}{% case B %}{{ e.n }}${c}{% /match %}`),
  ),
})).nodes;

/** Inside the case of A, `e` has no `n`, and a second match on it makes no sense; such templates are refused. */
const usable = body
  .filter((text) => (text.match(/% match/g) ?? []).length < 2)
  .map((text) => {
    let count = 0;
    return text.replace(/\{% for LOOP in xs %\}\{\{ idx\(LOOP\) \}\}\{\{ LOOP \}\}/g, () => {
      count += 1;
      return `{% for l${count} in xs %}{{ idx(l${count}) }}{{ l${count} }}`;
    });
  })
  .filter((text) => !/\{% case.*kind\(e\)/s.test(text));

const values = fc.record({
  s: fc.string({ unit: "grapheme" }),
  n: fc.integer(),
  f: fc.double({ noNaN: true, noDefaultInfinity: true }),
  b: fc.boolean(),
  xs: fc.array(fc.string(), { maxLength: 3 }),
  o: fc.option(fc.string()),
  e: fc.oneof(fc.constant("A"), fc.record({ kind: fc.constant("B"), n: fc.integer() })),
});

it("compiled and rendered text are the same", () => {
  fc.assert(
    fc.property(usable, values, (text, given) => {
      const source = withParams(PARAMS, `.${text}`).replace("params:", "allow_unused: true\nparams:");
      expect(typeof run(source, given)).toBe("string");
    }),
    { numRuns: 300 },
  );
});
