/** Attack strings through every filter that makes text safe: no delimiter passes. */
import { readFileSync } from "node:fs";
import { sanitizeTokens } from "@tsukumo/tool/sanitize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile, withParams } from "./run.js";

const ATTACKS: readonly (readonly [family: string, attack: string])[] = JSON.parse(
  readFileSync(new URL("../../tool/test/fixtures/attacks.json", import.meta.url), "utf8"),
);
const texts = ATTACKS.map(([, attack]) => attack);
const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(...texts),
      fc.constantFrom("<", "</page>", "</ page >", "```", "`````", "\n", '"', "'", "&", " "),
      fc.string(),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

function inside(filter: string, text: string): string {
  return compile(withParams(["x = untrusted str"], `{{ x | ${filter} }}`))({ x: text });
}

/** What must hold for what comes out of each filter. */
const FILTERS: readonly (readonly [filter: string, holds: (out: string) => void])[] = [
  ["sanitize_tokens", (out) => expect(sanitizeTokens(out)).toBe(out)],
  ['sanitize_tokens("page")', (out) => expect(out).not.toMatch(/<\s*\/?\s*page\b/i)],
  [
    'quarantine("page")',
    (out) => {
      expect(out.startsWith("<page>\n") && out.endsWith("\n</page>")).toBe(true);
      const body = out.slice(7, -8);
      expect(body).not.toMatch(/<\s*\/?\s*page\b/i);
      expect(sanitizeTokens(body)).toBe(body);
    },
  ],
  ['quarantine("page, source")', (out) => expect(out.slice(7, -8)).not.toMatch(/<\s*\/?\s*(?:page|source)\b/i)],
  [
    'fence("txt")',
    (out) => {
      const [ticks = ""] = /^`+/.exec(out) ?? [];
      expect(out.slice(ticks.length, -ticks.length)).not.toContain(ticks);
      expect(sanitizeTokens(out)).toBe(out);
    },
  ],
  ["escape_xml", (out) => expect(out).not.toMatch(/[<>"']/)],
  [
    "escape_json",
    (out) => {
      expect(typeof JSON.parse(`"${out}"`)).toBe("string");
      expect(sanitizeTokens(out)).toBe(out);
    },
  ],
];

describe("no delimiter passes", () => {
  it("the corpus is large", () => expect(texts.length).toBeGreaterThanOrEqual(200));

  it.each(FILTERS)("%s, on every attack", (filter, holds) => {
    for (const text of texts) holds(inside(filter, text));
  });

  it.each(FILTERS)("%s, on combinations", (filter, holds) => {
    fc.assert(
      fc.property(pieces, (text) => {
        holds(inside(filter, text));
      }),
      { numRuns: 200 },
    );
  });
});

it("escape_xml writes every special character and leaves control characters out", () => {
  expect(inside("escape_xml", `<a b="c" d='e'>&\u0000\u001f\t`)).toBe(
    "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;\t",
  );
});
