/** Ollama's lines. */
import { expect, test } from "vitest";
import { decodeText, expectWellFormed } from "./support/decode.js";
import { print } from "./support/print.js";

type Json = Readonly<Record<string, unknown>>;

function run(...lines: readonly Json[]): string[] {
  const stream = lines.map((line) => `${JSON.stringify({ model: "m", created_at: "now", ...line })}\n`).join("");
  const events = decodeText("ollama", stream);
  expectWellFormed(events);
  expect(decodeText("ollama", stream, { reference: true })).toEqual(events);
  return print(events);
}

const say = (message: Json): Json => ({ message: { role: "assistant", ...message }, done: false });
const end = (reason?: string): Json => ({
  message: { role: "assistant", content: "" },
  done: true,
  ...(reason === undefined ? {} : { done_reason: reason }),
});

test.each<[string, Json[], string[]]>([
  [
    "thinking and text",
    [
      say({ content: "", thinking: "hm" }),
      say({ content: "a" }),
      say({ content: "b" }),
      { ...end("stop"), prompt_eval_count: 7, eval_count: 3 },
    ],
    [
      "started",
      "start 0 thinking",
      "0 thinking hm",
      'stop 0 {"scheme":"ollama"}',
      "start 1 text",
      "1 text a",
      "1 text b",
      "stop 1 end_turn",
      'usage {"inputTokens":7,"outputTokens":3,"totalTokens":10}',
      "completed",
    ],
  ],
  [
    "calls come whole, with and without ids",
    [
      say({
        content: "",
        tool_calls: [
          { function: { name: "f", arguments: { a: 1 } } },
          { id: "x", function: { index: 1, name: "g", arguments: {} } },
        ],
      }),
      end("stop"),
    ],
    [
      "started",
      "start 0 tool_use made-up-0 f",
      '0 input_json {"a":1}',
      "stop 0",
      "start 1 tool_use x g",
      "1 input_json {}",
      "stop 1 tool_use",
      "completed",
    ],
  ],
  [
    "the limit",
    [say({ content: "a" }), end("length")],
    ["started", "start 0 text", "0 text a", "stop 0 max_tokens", "completed"],
  ],
  [
    "no reason",
    [say({ content: "a" }), end()],
    ["started", "start 0 text", "0 text a", "stop 0 end_turn", "completed"],
  ],
  [
    "another reason",
    [say({ content: "a" }), end("unload")],
    ["started", "start 0 text", "0 text a", "stop 0 other", "completed"],
  ],
  [
    "an error",
    [say({ content: "a" }), { error: "out of memory" }],
    ["started", "start 0 text", "0 text a", "error -: out of memory", "abort 0 error", "failed"],
  ],
  [
    "a line that is not known",
    [{ status: "pulling" }, end("stop")],
    ["unhandled ", "started", "start 0 text", "stop 0 end_turn", "completed"],
  ],
  [
    "a stream that breaks off",
    [say({ content: "a" })],
    ["started", "start 0 text", "0 text a", "abort 0 stream_ended", "failed"],
  ],
])("%s", (_title, lines, expected) => {
  expect(run(...lines)).toEqual(expected);
});

test("an error body, a last line without its end, and a page", () => {
  expect(print(decodeText("ollama", '{"error":"model not found"}'))).toEqual(["error -: model not found", "failed"]);
  expect(print(decodeText("ollama", '{"message":{"content":"a"},"done":true}')).at(-1)).toBe("completed");
  expect(print(decodeText("ollama", "404 page not found"))[0]).toContain("not_a_stream");
  const page = print(decodeText("ollama", "<html>\n<h1>Sign in</h1>\n</html>\n"));
  expect(page.slice(0, 3)).toEqual(["unhandled ", "unhandled ", "unhandled "]);
  expect(page[3]).toContain("error not_a_stream: The answer is not a stream of this scheme. It begins with: <html>");
});
