/** Ajv on the emitted schema and the emitted predicate must agree on every value. */
import * as runtime from "@tsukumo/tool/runtime";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printBlueprint } from "../src/blueprint.js";
import { schemaOf } from "../src/schema.js";
import type { Definitions, Shape } from "../src/shape.js";
import { compileSource } from "./compile-source.js";

const RUNS = Number(process.env.TSUKUMO_FUZZ_RUNS ?? 300);
const addFormats = addFormatsModule.default ?? addFormatsModule;

const TYPES: Readonly<Record<string, string>> = {
  primitives: "type T = { s: string; n: number; b: boolean; z: null; o?: string; u: string | null };",
  literals: `type T = { one: "a"; many: "a" | "b" | 1 | true; big: 1|2|3|4|5|6|7|8|9|10 };`,
  arrays: "type T = { list: string[]; matrix: number[][]; maybe?: (string | number)[] };",
  tuples: "type T = { pair: [string, number]; opt: [string, number?]; rest: [boolean, ...string[]]; none: [] };",
  records:
    "type T = { r: Record<string, number>; byNumber: Record<number, string>; mixed: { a: number; [k: string]: number } };",
  templates: "type T = { [key: `x-${string}`]: number; name: string };",
  tagged: `interface T {
    /** @minimum 1
     * @exclusiveMaximum 10
     * @multipleOf 0.5 */
    n: number;
    /** @type int */
    i: number;
    /** @minLength 2
     * @maxLength 4 */
    s: string;
    /** @pattern ^[a-c]+$ */
    p: string;
    /** @minItems 1
     * @maxItems 3
     * @uniqueItems */
    a: number[];
  }`,
  unions: `type T = { u: { kind: "a"; x: number } | { kind: "b"; y: string[] } | null; v: string | number[] | { z?: boolean } };`,
  recursive: "interface Node { value: number; next?: Node; kids: Node[] } type T = Node;",
  inherited: "type T = { toString?: string; constructor: number; hasOwnProperty?: boolean };",
  unknown: "type T = { x: unknown; y?: unknown[] };",
  formats: `interface T {
    /** @format date-time */
    a?: string;
    /** @format email */
    b?: string;
    /** @format ipv4 */
    c?: string;
    /** @format uuid */
    d?: string;
    /** @format date */
    e?: string;
    /** @format ipv6 */
    f?: string;
  }`,
};

interface Pair {
  readonly input: Shape;
  readonly definitions: Definitions;
  readonly schemaAccepts: (value: unknown) => boolean;
  readonly predicateAccepts: (value: unknown) => boolean;
}

function pairFor(declaration: string): Pair {
  const { tools } = compileSource(
    `${declaration}\n/** T\n * @tool\n * @param input V */\nexport function f(input: T): void {}`,
  );
  const model = tools[0]?.model;
  if (model === undefined) throw new Error("The type was refused.");
  const ajv = new Ajv2020({ strict: false, ownProperties: true });
  addFormats(ajv);
  const schemaAccepts = ajv.compile(schemaOf(model.input, model.definitions));
  const text = printBlueprint(model, "f", { typescript: false });
  const blueprint: runtime.ToolBlueprint = new Function("__tsukumo", "f", `return ${text}`)(runtime, () => undefined);
  return {
    input: model.input,
    definitions: model.definitions,
    schemaAccepts: (v) => schemaAccepts(v) === true,
    predicateAccepts: blueprint.is,
  };
}

const FORMAT_SAMPLES = fc.constantFrom(
  "2024-02-29T12:00:00Z",
  "2023-02-29T12:00:00Z",
  "2024-01-01T23:59:60Z",
  "2024-01-01 10:00:00+09:00",
  "2024-01-01T10:00:00",
  "2024-13-01",
  "2024-12-31",
  "a@b.co",
  "a@b",
  "a..b@c.de",
  "@x.y",
  "1.2.3.4",
  "256.1.1.1",
  "01.2.3.4",
  "123e4567-e89b-12d3-a456-426614174000",
  "123e4567",
  "::1",
  "1::2::3",
  "fe80::1.2.3.4",
  "1:2:3:4:5:6:7:8",
  "",
);

/** Texts of each format, so that enough values are accepted. */
const VALID: Readonly<Record<string, readonly string[]>> = {
  "date-time": ["2024-02-29T12:00:00Z", "2024-01-01T10:00:00.5+09:00"],
  email: ["a@b.co", "first.last+tag@mail.example.org"],
  ipv4: ["1.2.3.4", "255.255.255.255"],
  ipv6: ["::1", "fe80::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"],
  uuid: ["123e4567-e89b-12d3-a456-426614174000"],
  date: ["2024-12-31"],
};

/** Values that fit the shape, or nearly. */
function valuesOf(shape: Shape, definitions: Definitions, depth: number): fc.Arbitrary<unknown> {
  const inner = (next: Shape): fc.Arbitrary<unknown> => valuesOf(next, definitions, depth - 1);
  switch (shape.kind) {
    case "any":
      return fc.jsonValue({ maxDepth: 1 });
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "string": {
      const valid = shape.format === undefined ? undefined : VALID[shape.format];
      if (valid !== undefined) return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...valid) }, FORMAT_SAMPLES);
      return fc.oneof(fc.string({ unit: "grapheme", maxLength: 6 }), fc.stringMatching(/^[a-c]{1,4}$/), FORMAT_SAMPLES);
    }
    case "number":
      return fc.oneof(
        fc.integer({ min: -3, max: 12 }),
        fc.double({ noNaN: true }),
        fc.constantFrom(0.5, 9.5, 10, 1e21),
      );
    case "literal":
      return fc.constantFrom(...shape.values);
    case "array":
      return depth > 0 ? fc.array(inner(shape.items), { maxLength: 4 }) : fc.constant([]);
    case "tuple":
      return fc
        .tuple(
          fc.tuple(...shape.items.map(inner)),
          fc.integer({ min: shape.required, max: shape.items.length }),
          shape.rest === undefined ? fc.constant([]) : fc.array(inner(shape.rest), { maxLength: 2 }),
        )
        .map(([items, count, rest]) => (count < items.length ? items.slice(0, count) : [...items, ...rest]));
    case "object": {
      const named = fc.record(
        Object.fromEntries(
          shape.properties.filter((p) => depth > 0 || !p.optional).map((p) => [p.name, inner(p.value)]),
        ),
        { requiredKeys: shape.properties.filter((p) => !p.optional).map((p) => p.name), noNullPrototype: true },
      );
      const rest = shape.additional ?? shape.patterns[0]?.value;
      if (rest === undefined) return named;
      return fc
        .tuple(
          fc.dictionary(fc.constantFrom("k", "x-1", "x-", "7", "-1.5", "1e3"), inner(rest), { noNullPrototype: true }),
          named,
        )
        .map(([extra, own]) => ({ ...extra, ...own }));
    }
    case "union":
      return fc.oneof(...shape.members.map(inner));
    case "ref": {
      const target = definitions.get(shape.name);
      if (target === undefined) throw new Error("missing definition");
      return valuesOf(target, definitions, depth);
    }
  }
}

/** The value with one thing changed somewhere. */
function mutate(value: unknown, path: readonly number[], junk: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== "object" || value === null) return junk;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  if (keys.length === 0 || step % 7 === 0) return Array.isArray(copy) ? [...copy, junk] : { ...copy, extra: junk };
  const key = keys[step % keys.length] ?? "";
  if (step % 5 === 0 && !Array.isArray(copy)) delete copy[key];
  else Reflect.set(copy, key, mutate(Reflect.get(copy, key), rest, junk));
  return copy;
}

describe("schema and predicate agree", () => {
  it.each(Object.entries(TYPES))("%s", (_, declaration) => {
    const { input, definitions, schemaAccepts, predicateAccepts } = pairFor(declaration);
    const valid = valuesOf(input, definitions, 4);
    let accepted = 0;
    fc.assert(
      fc.property(
        valid,
        fc.array(fc.nat(100), { maxLength: 4 }),
        fc.jsonValue({ maxDepth: 1 }),
        (value, path, junk) => {
          for (const raw of [value, mutate(value, path, junk)]) {
            const candidate: unknown = JSON.parse(JSON.stringify(raw));
            const expected = schemaAccepts(candidate);
            if (expected) accepted++;
            if (predicateAccepts(candidate) !== expected)
              throw new Error(`Ajv says ${expected} of ${JSON.stringify(candidate)}`);
          }
        },
      ),
      { numRuns: RUNS },
    );
    // A generator that only makes refused values would prove nothing.
    expect(accepted).toBeGreaterThan(0);
  });
});
