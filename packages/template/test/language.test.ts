import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CheckOptions, TemplateError } from "../src/index.js";
import { files, run, withParams } from "./run.js";

type Row = readonly [
  what: string,
  params: readonly string[],
  body: string,
  values: Record<string, unknown>,
  text: string,
];

const ROWS: readonly Row[] = [
  ["a path", ["u = struct(name=str)"], "Hi {{ u.name }}!\n", { u: { name: "Ada" } }, "Hi Ada!"],
  ["whole floats", ["x = float"], "{{ x }} {{ 2.0 }}", { x: 3 }, "3 2"],
  ["negative zero", ["x = float"], "{{ x }}", { x: -0 }, "0"],
  [
    "no exponent",
    ["x = float", "y = float"],
    "{{ x }} {{ y }}",
    { x: 1e21, y: 1.5e-7 },
    "1000000000000000000000 0.00000015",
  ],
  ["if, elif, else", ["n = int"], "{% if n > 2 %}many{% elif n == 2 %}two{% else %}few{% /if %}", { n: 2 }, "two"],
  ["truthiness of a list", ["xs = list(str)"], "{% if xs %}some{% else %}none{% /if %}", { xs: [] }, "none"],
  [
    "for and idx",
    ["xs = list(str)"],
    "{% for x in xs %}{{ idx(x) | add(1) }}.{{ x }} {% /for %}",
    { xs: ["a", "b"] },
    "1.a 2.b ",
  ],
  ["for else", ["xs = list(int)"], "{% for x in xs %}{{ x }}{% else %}none{% /for %}", { xs: [] }, "none"],
  [
    "a list of structs",
    ["xs = list(a=str, n=int)"],
    "{% for x in xs %}{{ x.a }}{{ x.n }};{% /for %}",
    { xs: [{ a: "q", n: 1 }] },
    "q1;",
  ],
  [
    "match",
    ["e = enum(A, B(n=int), C)"],
    "{% match e %}{% case A | C %}ac{% case B %}b{{ e.n }}{% /match %}",
    { e: { kind: "B", n: 4 } },
    "b4",
  ],
  [
    "match with a plain variant",
    ["e = enum(A, B)"],
    "{% match e %}{% case A %}a{% case B %}b{% /match %}",
    { e: "A" },
    "a",
  ],
  [
    "match with a guard",
    ["e = enum(A(n=int))"],
    "{% match e %}{% case A if e.n > 1 %}big{% case A %}small{% /match %}",
    { e: { kind: "A", n: 1 } },
    "small",
  ],
  ["match on text", ["s = str"], '{% match s %}{% case "a" | "b" %}1{% else %}2{% /match %}', { s: "b" }, "1"],
  ["has", ["o = option(str)"], "{% if has(o) %}{{ o }}{% else %}-{% /if %}", { o: "x" }, "x"],
  ["has, absent", ["o = option(str)"], "{% if !has(o) %}-{% else %}{{ o }}{% /if %}", { o: null }, "-"],
  ["has in a condition", ["o = option(int)"], "{% if has(o) && o > 1 %}y{% else %}n{% /if %}", { o: 2 }, "y"],
  ["in", ["xs = list(str)", "s = str"], '{{ "a" in xs }} {{ "b" in s }}', { xs: ["a"], s: "abc" }, "true true"],
  ["kind and kinds", ["e = enum(A, B)"], '{{ kind(e) }} of {{ kinds(e) | join(",") }}', { e: "B" }, "B of A,B"],
  ["len of text counts characters", ["s = str"], "{{ len(s) }}", { s: "a😀" }, "2"],
  [
    "filters",
    ["s = str", "n = float"],
    "{{ s | trim | upper }} {{ n | fixed(2) }} {{ s | limit(2) | lower }}",
    { s: " Ab", n: 1.005 },
    "AB 1.00  a",
  ],
  ["truncate", ["s = str"], '{{ s | truncate(3) }} {{ s | truncate(4, "..") }}', { s: "abcdef" }, "ab… ab.."],
  ["tojson", ["u = struct(a=list(int))"], "{{ u | tojson }}", { u: { a: [1] } }, '{"a":[1]}'],
  ["trim markers", ["s = str"], "a \n {{- s -}} \n b", { s: "x" }, "axb"],
  ["comments", ["s = str"], "a{# {{ s }} is unused #}b", { s: "x" }, "ab"],
  ["raw", [], "{% raw %}{{ x }}{% /raw %}", {}, "{{ x }}"],
  ["raw with a name", [], '{% raw "q" %}{% /raw %}{% /raw "q" %}', {}, "{% /raw %}"],
  [
    "blockquote tags take their lines",
    ["b = bool"],
    "Hello\n\n> {% if b %}\n\ntext\n\n> {% /if %}\n\nend\n",
    { b: true },
    "Hello\ntext\nend",
  ],
  [
    "blockquote tags in a row",
    ["xs = list(str)"],
    "> {% for x in xs %}\n\n- {{ x }}\n\n> {% /for %}\n",
    { xs: ["a", "b"] },
    "- a\n- b\n",
  ],
  ["raw on lines of its own", [], "a\n\n> {% raw %}\n\n{{ x }}\n\n> {% /raw %}\n\nb", {}, "a\n{{ x }}\nb"],
  ["comments on lines of their own", [], "a\n\n> {# note\n more #}\n\nb", {}, "a\nb"],
  [
    "tags on neighbouring lines",
    ["b = bool"],
    "a\n\n> {% if b %}\n> {# c #}\n\nx\n\n> {% /if %}\n",
    { b: true },
    "a\nx\n",
  ],
  ["a quote that is none", ["b = bool"], "> Note{% if b %}!{% /if %}\n> more", { b: true }, "> Note!\n> more"],
  ["strings hold expressions", ["s = str"], '{{ "<{{ s }}>" }}', { s: "x" }, "<x>"],
  ["escapes", [], "{{ \"a\\\"b\\\\\" }}{{ 'it\\'s' }}", {}, "a\"b\\it's"],
  ["a default", ['s = str := "d"'], "{{ s }}", {}, "d"],
  ["CRLF", ["s = str"], "a\r\n{{ s }}\r\nb", { s: "x" }, "a\nx\nb"],
  [
    "words of JavaScript",
    ["constructor = str", "class = str"],
    "{{ constructor }}{{ class }}",
    { constructor: "a", class: "b" },
    "ab",
  ],
];

describe("the language", () => {
  it.each(ROWS)("%s", (_, params, body, values, text) => {
    // A tag at the beginning of a line would be a blockquote's.
    const before = body.startsWith("{%") ? "." : "";
    expect(run(withParams(params, before + body), values)).toBe(before + text);
  });

  it("has consts, env and types", () => {
    const text =
      "---\ntypes:\n  - User = struct(name=str)\nconsts:\n  - MAX = int := 3\nenv:\n  - HOST = str\nparams: [u = User]\n---\n{{ u.name }} {{ MAX }} {{ HOST }}";
    expect(run(text, { u: { name: "A" } }, { env: { HOST: "h" } })).toBe("A 3 h");
  });

  it("includes", () => {
    const part = withParams(["who = str", 'end = str := "!"'], "Hi {{ who }}{{ end }}\n");
    const text = withParams(
      ["xs = list(str)"],
      '{{ len(xs) }}{% for x in xs %}{% include "./part.md" with who = x %}{% /for %}',
    );
    expect(run(text, { xs: ["a", "b"] }, files({ "part.md": part }))).toBe("2Hi a!Hi b!");
  });

  it("does what the README shows", () => {
    const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const example = /```\n(---[\s\S]*?)```/.exec(page)?.[1] ?? "";
    const hits = [
      { title: "One", kind: "page", note: "new" },
      { title: "Two", kind: "file" },
    ];
    expect(run(example, { hits })).toBe("Hits on localhost:\n1. One (new)\n2. Two\n");
    expect(run(example, { hits: [] })).toBe("Hits on localhost:\nNone of 10.\n");
  });

  it("panics", () => {
    const text = withParams(["n = int"], '.{% if n > 1 %}{% panic("too many: {{ n }}") %}{% /if %}ok');
    expect(run(text, { n: 1 })).toBe(".ok");
    expect(() => run(text, { n: 2 })).toThrow("too many: 2");
  });
});

const ERRORS: readonly (readonly [
  code: string,
  params: readonly string[],
  body: string,
  place: string,
  words: string,
])[] = [
  ["undeclared", [], "{{ x }}", "4:4", "not declared"],
  ["unused", ["x = str"], "", "3:5", "not used"],
  ["type", ["x = list(str)"], "{{ x }}", "5:4", "cannot be printed"],
  ["type", ["x = option(str)"], "{{ x }}", "5:4", "has("],
  ["type", ["x = option(str)"], "x{% if x %}a{% /if %}", "5:8", "has("],
  ["type", ["x = struct(a=str)"], "{{ x.b }}", "5:4", "has no `b`"],
  ["type", ["x = enum(A, B)", "y = enum(A)"], "{{ x == y }}", "6:6", "match"],
  ["type", ["x = str"], "{{ x > 1 }}", "5:6", "cannot be compared"],
  ["match", ["e = enum(A, B)"], "x{% match e %}{% case A %}a{% /match %}", "5:5", "`B`"],
  ["match", ["e = enum(A)"], "x{% match e %}{% case Z %}a{% /match %}", "5:18", "`Z`"],
  ["filter", ["x = str"], "{{ x | nope }}", "5:8", "no filter"],
  ["filter", ["x = str"], "{{ x | fixed(1) }}", "5:8", "takes a number"],
  ["filter", ["x = str"], '{{ x | fence("a b") }}', "5:8", "no space"],
  ["filter", ["x = str"], '{{ x | quarantine("a b") }}', "5:8", "XML names"],
  ["filter", ["x = str"], "{{ x | quarantine | truncate(5) }}", "5:21", "must stand before"],
  ["filter", ["x = str"], "{{ (x | escape_json) | limit(5) }}", "5:24", "must stand before"],
  ["untrusted", ["x = untrusted str"], "{{ x | upper }}", "5:8", "sanitize_tokens"],
  ["untrusted", ["x = struct(a=untrusted str)"], "{{ x | tojson }}", "5:8", "outside"],
  ["blockquote", ["b = bool"], "a\n\n{% if b %}x{% /if %}", "7:1", "> {%"],
  ["blockquote", ["b = bool"], "a\n> {% if b %}\n\nx\n\n> {% /if %}\n", "6:1", "above"],
  ["blockquote", ["b = bool"], "> {% if b %}\nx\n\n> {% /if %}\n", "6:1", "below"],
  ["syntax", ["b = bool"], "x{% if b %}", "5:5", "/if"],
  ["syntax", ["b = bool"], "x{% if not b %}{% /if %}", "5:8", "`!`"],
  ["syntax", [], "x{{ 1 ", "4:2", "no `}}`"],
  ["include", [], 'x{% include "part.md" %}', "4:13", "begins with"],
  ["include", [], 'x{% include "./none.md" %}', "4:5", "no file"],
  ["include", [], 'x{% include "./self.md" %}', "3:5", "16 deep"],
  ["frontmatter", ["x = strr := 1"], "{{ x }}", "3:9", "no type"],
  ["type", ["x = int := 1.5"], "{{ x }}", "3:16", "no int"],
];

describe("errors", () => {
  const options: CheckOptions = files({ "self.md": '---\n---\nx{% include "./self.md" %}' });

  it.each(ERRORS)("%s: %j %s", (code, params, body, place, words) => {
    const text = params.length === 0 ? `---\nname: t\n---\n${body}` : withParams(params, body);
    let error: unknown;
    try {
      run(text, {}, options);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(TemplateError);
    if (!(error instanceof TemplateError)) return;
    expect(error.message).toContain(words);
    expect(
      `${error.code === "undeclared" && code === "frontmatter" ? "frontmatter" : error.code} ${error.line}:${error.column}`,
    ).toBe(`${code} ${place}`);
    expect(error.snippet).toMatch(/\n *\^$/);
  });
});
