/** Frozen items are encoded once; the bytes are those of items that are encoded each time. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ContentPart, type Item, type Request, type SchemeName, schemes } from "../src/index.js";
import { items, PNG, request } from "./support/request.js";

const NAMES: readonly SchemeName[] = ["anthropic", "openai-chat", "openai-responses", "gemini", "ollama"];
const MODELS = ["m", "claude-haiku-4-5", "gemini-2.5-flash", "gemini-3-pro"];

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

const text = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom("", " ", "é\u2028\ud800", '"\\\n'));
/** Few, so that results meet their calls, and ids repeat. */
const callId = fc.constantFrom("a", "b", "c:1", "d");
const scheme = fc.constantFrom(...NAMES);
const reasoning = fc.record(
  {
    scheme,
    id: text,
    signature: text,
    encrypted: text,
    summary: fc.array(text, { maxLength: 2 }),
    extra: fc.constantFrom(
      { custom: true },
      { block: { type: "server_tool_use", id: "s" } },
      { part: { executableCode: { code: "1" } } },
      { item: { type: "web_search_call", id: "w" } },
      { field: "reasoning_content", reasoning_details: [{ text: "x" }] },
      { phase: "final", annotations: [{ url: "u" }] },
      { content: [{ type: "reasoning_text", text: "y" }] },
    ),
  },
  { requiredKeys: ["scheme"] },
);
const part: fc.Arbitrary<ContentPart> = fc.oneof(
  text.map((text): ContentPart => ({ type: "input_text", text })),
  fc.record({ type: fc.constant("output_text" as const), text, reasoning }, { requiredKeys: ["type", "text"] }),
  text.map((refusal): ContentPart => ({ type: "refusal", refusal })),
  fc.constant<ContentPart>({ type: "input_image", data: PNG, mimeType: "image/png" }),
  fc.constant<ContentPart>({ type: "input_file", data: "SGk=", mimeType: "text/plain", filename: "a.txt" }),
);
const content = fc.array(part, { maxLength: 3 });
const item: fc.Arbitrary<Item> = fc.oneof(
  fc.record({
    type: fc.constant("message" as const),
    role: fc.constantFrom("user" as const, "assistant" as const, "system" as const),
    content,
  }),
  fc.record(
    {
      type: fc.constant("function_call" as const),
      callId,
      name: fc.constantFrom("f", "g"),
      arguments: fc.constantFrom("", "{}", '{"input":"x"}', "{"),
      reasoning,
    },
    { requiredKeys: ["type", "callId", "name", "arguments"] },
  ),
  fc.record(
    {
      type: fc.constant("function_call_output" as const),
      callId,
      output: fc.oneof(text, content),
      isError: fc.boolean(),
    },
    { requiredKeys: ["type", "callId", "output"] },
  ),
  fc.record({ type: fc.constant("reasoning" as const), text, reasoning }, { requiredKeys: ["type", "text"] }),
);
const tools = fc
  .uniqueArray(fc.constantFrom("f", "g", "h"), { maxLength: 3 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record({ name: fc.constant(name), description: text, inputSchema: fc.constant({ type: "object" }) }),
      ),
    ),
  );
/** What happens between two requests. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("append" as const), items: fc.array(item, { maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("replace" as const), at: fc.nat(20), item }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("drop" as const), count: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("tools" as const), tools }) },
);
const settings = fc.record({
  model: fc.constantFrom(...MODELS),
  eagerToolInput: fc.boolean(),
  cache: fc.constantFrom(undefined, { ttl: "5m" as const }, { ttl: "1h" as const }),
});

describe.each(NAMES)("%s", (name) => {
  test("kept texts give the bytes of texts made anew, over growing and changing histories", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, settings), { minLength: 1, maxLength: 12 }), (steps) => {
        const history: Item[] = [];
        let offered: Request["tools"] = [];
        for (const [{ ...change }, { model, eagerToolInput, cache }] of steps) {
          // Copied: a shrunk run must not meet the texts of the run before.
          if (change.kind === "append") history.push(...freeze(structuredClone(change.items)));
          else if (change.kind === "replace" && change.at < history.length)
            history[change.at] = freeze(structuredClone(change.item));
          else if (change.kind === "drop") history.splice(history.length - change.count, change.count);
          else if (change.kind === "tools") offered = freeze(structuredClone(change.tools));
          const sent: Request = {
            systemPrompt: "Be kind.",
            items: history,
            tools: offered,
            config: cache === undefined ? {} : { cache },
          };
          const options = { model, eagerToolInput };
          const body = schemes[name].encode(sent, options);
          expect(body).toBe(schemes[name].encode(structuredClone(sent), options));
          expect(body).toBe(schemes[name].encode(sent, options));
          expect(JSON.stringify(JSON.parse(body))).toBe(body);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("a frozen history is not read again", () => {
    const counted = { reads: 0 };
    const history = items.map((item) =>
      freeze(
        Object.defineProperty({ ...structuredClone(item) }, "arguments", {
          enumerable: item.type === "function_call",
          get() {
            counted.reads += 1;
            return item.type === "function_call" ? item.arguments : undefined;
          },
        }),
      ),
    );
    const encode = () => schemes[name].encode({ ...request, items: history }, { model: "m" });
    const first = encode();
    expect(first).toBe(schemes[name].encode(request, { model: "m" }));
    expect(counted.reads).toBeGreaterThan(0);
    counted.reads = 0;
    expect(encode()).toBe(first);
    expect(counted.reads).toBe(0);
  });

  test("a request reads the items since the last one, and the turn before them", () => {
    const read = new Set<number>();
    const watched = (item: Item, at: number): Item =>
      freeze(
        Object.defineProperty({ ...item }, item.type === "function_call_output" ? "output" : "arguments", {
          enumerable: true,
          get: () => {
            read.add(at);
            return "{}";
          },
        }),
      );
    const history: Item[] = [freeze({ type: "message", role: "user", content: [{ type: "input_text", text: "go" }] })];
    for (let turn = 0; turn < 20; turn++) {
      const callId = `call_${turn}`;
      history.push(
        watched({ type: "function_call", callId, name: "f", arguments: "" }, history.length),
        watched({ type: "function_call_output", callId, output: "" }, history.length + 1),
      );
      read.clear();
      schemes[name].encode({ items: [...history], tools: [], config: {} }, { model: "m" });
      expect(Math.min(...read)).toBeGreaterThanOrEqual(history.length - 4);
      expect(read).toContain(history.length - 1);
    }
  });

  test.each(["open", "frozen outside alone"])("an item that can still change is encoded each time: %s", (how) => {
    const parts = [{ type: "input_text" as const, text: "before" }];
    const message: Item = { type: "message", role: "user", content: parts };
    if (how !== "open") Object.freeze(message);
    const encode = () => schemes[name].encode({ items: [message], tools: [], config: {} }, { model: "m" });
    expect(encode()).toContain("before");
    parts[0] = { type: "input_text", text: "after" };
    expect(encode()).toContain("after");
  });

  test("a schema that can still change is encoded each time", () => {
    const inputSchema = { type: "object", title: "before" };
    const offered = Object.freeze([Object.freeze({ name: "f", inputSchema })]);
    const encode = () => schemes[name].encode({ items: [], tools: offered, config: {} }, { model: "m" });
    expect(encode()).toContain("before");
    inputSchema.title = "after";
    expect(encode()).toContain("after");
  });

  test("fields that config.extra adds, and those that the scheme sets itself, stand where they stood", () => {
    const extra = { tools: [1], messages: "x", 7: "seven", zeta: null, contents: [], input: 0 };
    for (const offered of [[], request.tools]) {
      const sent: Request = { items, tools: offered, config: { extra } };
      const body = schemes[name].encode(sent, { model: "m" });
      expect(JSON.stringify(JSON.parse(body))).toBe(body);
      expect(body.startsWith('{"7":"seven",')).toBe(true);
    }
  });
});
