/** Arguments while they stream, as the tool's schema takes them. */
import type { JsonSchema, JsonValue, Tool } from "@tsukumo/tool";
import {
  definition,
  GeneratedTool,
  type PartialArguments,
  partialArguments,
  type ToolBlueprint,
} from "@tsukumo/tool/runtime";
import { describe, expect, expectTypeOf, it } from "vitest";
import { PartialJson, Worker } from "../src/index.js";
import { call, ScriptedClient, text } from "./scripted.js";

interface Args {
  city: string;
  days: number;
  mode: "auto" | "manual";
  when: Date;
  tags: string[];
  where?: { lat: number; note?: string };
  shape: { kind: "circle"; r: number } | { kind: "square"; side: number };
  maybe: number | null;
}

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: { type: "integer", minimum: 1 },
    mode: { enum: ["auto", "manual"] },
    when: { type: "string", format: "date-time" },
    tags: { type: "array", items: { type: "string", maxLength: 4 } },
    where: { $ref: "#/$defs/Where" },
    shape: {
      anyOf: [
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["circle"] }, r: { type: "number" } },
          required: ["kind", "r"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { type: "string", enum: ["square"] }, side: { type: "number" } },
          required: ["kind", "side"],
          additionalProperties: false,
        },
      ],
    },
    maybe: { anyOf: [{ type: "number" }, { type: "null" }] },
  },
  required: ["city", "days", "mode", "when", "tags", "shape", "maybe"],
  additionalProperties: false,
  $defs: {
    Where: {
      type: "object",
      properties: { lat: { type: "number" }, note: { type: "string" } },
      required: ["lat"],
      additionalProperties: false,
    },
  },
};

const blueprint: ToolBlueprint = {
  meta: { name: "plan", description: "Plans, for tests", inputSchema, effect: "mutating" },
  is: () => false,
  call: () => "never",
};
const plan = new GeneratedTool<Args>(blueprint);

function written(json: string): JsonValue {
  const partial = new PartialJson();
  partial.push(json);
  return partial.value;
}

describe("partial arguments", () => {
  it.each([
    ["", {}],
    ["{", {}],
    ['{"city": "Na', { city: "Na" }],
    ['{"days": 3', {}],
    ['{"days": 3,', { days: 3 }],
    ['{"days": "3", ', { days: 3 }],
    ['{"days": 0, ', {}],
    ['{"mode": "au', {}],
    ['{"mode": "auto"', { mode: "auto" }],
    ['{"when": "2026-12-0', {}],
    ['{"when": "2026-12-01T04:00:00Z"', { when: "2026-12-01T04:00:00Z" }],
    ['{"tags": ["a", "bc', { tags: ["a", "bc"] }],
    ['{"tags": ["a", "too long", "b"', { tags: ["a"] }],
    ['{"where": {', { where: {} }],
    ['{"where": {"note": "by the s', { where: { note: "by the s" } }],
    ['{"where": {"lat": 1.5, "nope": 1', { where: { lat: 1.5 } }],
    ['{"shape": {"kind": "square", "side": 2', { shape: { kind: "square" } }],
    ['{"shape": {"side": 2, "kind": "squ', { shape: { side: 2 } }],
    ['{"shape": {"kind": "circle", "r": 2}', { shape: { kind: "circle", r: 2 } }],
    ['{"maybe": null,', { maybe: null }],
    ['{"unknown": 1, "city": "x"', { city: "x" }],
    ['{"__proto__": {"city": 1}, "city": "x"', { city: "x" }],
    ["[1, 2", {}],
    ['"city', {}],
  ])("%s", (json, expected) => {
    const value = written(json);
    const before = structuredClone(value);
    expect(partialArguments(plan, value)).toEqual(expected);
    expect(value).toEqual(before);
  });

  it("a recursive type, however deep, ends", () => {
    const [, tree] = definition({
      ...blueprint,
      meta: {
        ...blueprint.meta,
        inputSchema: {
          $ref: "#/$defs/Node",
          $defs: {
            Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } }, additionalProperties: false },
          },
        },
      },
    })();
    expect(partialArguments(tree, written('{"next": {"next": {'))).toEqual({ next: { next: {} } });
    expect(() => partialArguments(tree, written('{"next":'.repeat(5000)))).not.toThrow();
  });

  it("unions within unions end too", () => {
    const next = { anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] };
    const node = { type: "object", properties: { next }, additionalProperties: false };
    const [, tree] = definition({
      ...blueprint,
      meta: { ...blueprint.meta, inputSchema: { $ref: "#/$defs/A", $defs: { A: node, B: node } } },
    })();
    expect(partialArguments(tree, written('{"next": {"next": {'))).toEqual({ next: { next: {} } });
    expect(() => partialArguments(tree, written('{"next":'.repeat(40)))).not.toThrow();
  });

  it("has the types of the tool's arguments, any of which may be missing", () => {
    expectTypeOf(partialArguments(plan, {})).toEqualTypeOf<PartialArguments<Args>>();
    expectTypeOf<PartialArguments<Args>["days"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<PartialArguments<Args>["when"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<PartialArguments<Args>["tags"]>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<NonNullable<PartialArguments<Args>["where"]>["lat"]>().toEqualTypeOf<number | undefined>();
  });

  it("of a tool that was not generated nothing is known", () => {
    const plain: Tool = { execute: () => Promise.reject(new Error("never")) };
    expect(partialArguments(plain, { city: "x" })).toBeUndefined();
  });

  it("is what a subscriber shows while the call streams", async () => {
    const shown: unknown[] = [];
    const client = new ScriptedClient(call("a", "plan", '{"days": "2", "mode": "manual"}', 0, "tool_use"), text("ok"));
    const worker = Worker.create(client, { tools: [definition(blueprint)] });
    worker.subscribe({
      onPartialArguments: (_, { name }, value) => {
        if (name === "plan") shown.push(partialArguments(plan, value));
      },
    });
    await worker.run("go");
    expect(shown).toEqual([{ days: 2 }, { days: 2, mode: "manual" }]);
  });
});
