/** Whatever bytes come: typed errors, well-formed events, no difference between splits or between fast and slow. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ClientError, type Event, type SchemeName, schemes } from "../src/index.js";
import { expectWellFormed } from "./support/decode.js";

const NAMES: readonly SchemeName[] = ["anthropic", "openai-chat", "openai-responses", "gemini", "ollama"];

interface Outcome {
  readonly events: readonly Event[];
  readonly error: unknown;
}

function run(name: SchemeName, bytes: Uint8Array, cuts: readonly number[], options: object = {}): Outcome {
  let ids = 0;
  const decoder = schemes[name].decoder({ newId: () => `id-${ids++}`, ...options });
  const events: Event[] = [];
  let error: unknown;
  let from = 0;
  try {
    for (const cut of [...cuts, bytes.length]) {
      events.push(...decoder.push(bytes.slice(from, cut)));
      from = cut;
    }
  } catch (thrown) {
    error = thrown;
  }
  return { events: [...events, ...decoder.end()], error };
}

/** Words of every wire, put together without sense. */
const word = fc.constantFrom(
  "type",
  "index",
  "delta",
  "content_block",
  "text",
  "text_delta",
  "thinking_delta",
  "input_json_delta",
  "partial_json",
  "tool_use",
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "stop_reason",
  "message",
  "choices",
  "content",
  "reasoning_content",
  "reasoning_details",
  "tool_calls",
  "function",
  "name",
  "arguments",
  "id",
  "finish_reason",
  "usage",
  "error",
  "output_index",
  "item",
  "response.output_item.added",
  "response.output_item.done",
  "response.output_text.delta",
  "response.function_call_arguments.delta",
  "response.completed",
  "function_call",
  "reasoning",
  "candidates",
  "parts",
  "functionCall",
  "partialArgs",
  "jsonPath",
  "$.a[0]",
  "thoughtSignature",
  "usageMetadata",
  "done",
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    word,
    fc.constantFrom(0, 1, -1, 1.5, true, false, null, ""),
    fc.string({ maxLength: 4 }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(word, tie("value")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

const event = fc.tuple(fc.option(word, { nil: undefined }), value, fc.nat(3)).map(([name, data, gap]) => {
  const text = JSON.stringify(data);
  const padded = text.endsWith("}") ? `${text.slice(0, -1)}${" ".repeat(gap)}}` : text;
  return { name, text: padded };
});

function encodeStream(
  name: SchemeName,
  events: readonly { readonly name: string | undefined; readonly text: string }[],
): Uint8Array {
  const lines = events.map(({ name: type, text }) =>
    name === "ollama" ? `${text}\n` : `${type === undefined ? "" : `event: ${type}\n`}data: ${text}\n\n`,
  );
  return new TextEncoder().encode(lines.join(""));
}

const cuts = fc.array(fc.nat(2000), { maxLength: 12 });

function cutsOf(bytes: Uint8Array, at: readonly number[]): number[] {
  return at.filter((cut) => cut < bytes.length).sort((a, b) => a - b);
}

describe.each(NAMES)("%s", (name) => {
  test("random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), cuts, (bytes, at) => {
        const whole = run(name, bytes, []);
        expect(whole.error).toBeUndefined();
        expectWellFormed(whole.events);
        expect(run(name, bytes, cutsOf(bytes, at))).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  test("words of the wire without sense", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), cuts, (events, at) => {
        const bytes = encodeStream(name, events);
        const reference = run(name, bytes, [], { reference: true });
        expect(reference.error).toBeUndefined();
        expectWellFormed(reference.events);
        expect(run(name, bytes, [])).toEqual(reference);
        expect(run(name, bytes, cutsOf(bytes, at))).toEqual(reference);
      }),
      { numRuns: 400 },
    );
  });

  test("lines that repeat with small differences", () => {
    fc.assert(
      fc.property(
        event,
        fc.array(fc.tuple(fc.nat(400), fc.constantFrom('"', "\\", "x", "1", " ", "\n", "{")), { maxLength: 6 }),
        ({ name: type, text }, edits) => {
          const lines = Array.from({ length: 8 }, () => ({ name: type, text }));
          for (const [at, character] of edits) {
            const place = at % (text.length + 1);
            lines.push(
              { name: type, text: text.slice(0, place) + character + text.slice(place + 1) },
              { name: type, text },
            );
          }
          const bytes = encodeStream(name, lines);
          expect(run(name, bytes, [])).toEqual(run(name, bytes, [], { reference: true }));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("an event beyond the bound is a typed error, after what was complete", () => {
    const bytes = new TextEncoder().encode(`${name === "ollama" ? "" : "data: "}{"x":"${"y".repeat(5000)}"}\n\n`);
    for (const size of [1, 100, 10_000]) {
      const at = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => i * size).slice(1);
      const { error, events } = run(name, bytes, at, { maxEventBytes: 1000 });
      expect(error).toBeInstanceOf(ClientError);
      expect(error).toMatchObject({ code: "event_too_large" });
      expect(events).toEqual([{ type: "status", status: "failed" }]);
    }
  });
});
