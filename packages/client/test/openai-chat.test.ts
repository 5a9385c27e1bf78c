/** OpenAI's chat completions and what compatible servers make of them. */
import { describe, expect, test } from "vitest";
import { decode, decodeText, expectWellFormed } from "./support/decode.js";
import { print } from "./support/print.js";

type Json = Readonly<Record<string, unknown>>;

function run(...chunks: readonly (Json | string)[]): string[] {
  const stream = chunks
    .map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`)
    .join("");
  const events = decodeText("openai-chat", stream);
  expectWellFormed(events);
  expect(decodeText("openai-chat", stream, { reference: true })).toEqual(events);
  return print(events);
}

const chunk = (delta: Json, rest: Json = {}): Json => ({
  id: "c",
  choices: [{ index: 0, delta, finish_reason: null, ...rest }],
});
const finish = (reason: string): Json => chunk({}, { finish_reason: reason });
const calls = (...tool_calls: readonly Json[]): Json => chunk({ tool_calls });

/** What the response says between its start and its end. */
function between(deltas: readonly Json[], reason = "stop"): string[] {
  const lines = run(...deltas, finish(reason), "[DONE]");
  expect([lines[0], lines.at(-1)]).toEqual(["started", "completed"]);
  return lines.slice(1, -1);
}

describe("tool calls", () => {
  const whole = ["start 0 tool_use a f", '0 input_json {"x":', "0 input_json 1}", "stop 0 tool_use"];
  const args = (text: string, rest: Json = {}) => ({ ...rest, function: { arguments: text } });

  test.each<[string, Json[], string[]]>([
    [
      "as OpenAI sends them",
      [
        calls({ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }),
        calls(args('{"x":', { index: 0 })),
        calls(args("1}", { index: 0 })),
      ],
      whole,
    ],
    [
      "two at once",
      [
        calls({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }),
        calls({ index: 1, id: "b", function: { name: "g", arguments: "" } }),
        calls(args('{"y":2}', { index: 1 })),
      ],
      [
        "start 0 tool_use a f",
        "0 input_json {}",
        "stop 0",
        "start 1 tool_use b g",
        '1 input_json {"y":2}',
        "stop 1 tool_use",
      ],
    ],
    [
      "two that interleave",
      [
        calls({ index: 0, id: "a", function: { name: "f" } }, { index: 1, id: "b", function: { name: "g" } }),
        calls(args('{"x":', { index: 0 }), args('{"y":', { index: 1 })),
        calls(args("1}", { index: 0 }), args("2}", { index: 1 })),
      ],
      [
        "start 0 tool_use a f",
        "start 1 tool_use b g",
        '0 input_json {"x":',
        '1 input_json {"y":',
        "0 input_json 1}",
        "1 input_json 2}",
        "stop 0",
        "stop 1 tool_use",
      ],
    ],
    ["without an index", [calls({ id: "a", function: { name: "f" } }), calls(args('{"x":')), calls(args("1}"))], whole],
    [
      "an index that is used again with a new id",
      [
        calls({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }),
        calls({ index: 0, id: "b", function: { name: "f", arguments: "{}" } }),
      ],
      [
        "start 0 tool_use a f",
        "0 input_json {}",
        "stop 0",
        "start 1 tool_use b f",
        "1 input_json {}",
        "stop 1 tool_use",
      ],
    ],
    [
      "a known id on a wrong index",
      [
        calls({ index: 0, id: "a", function: { name: "f" } }),
        calls({ index: 1, id: "b", function: { name: "g" } }),
        calls(args('{"x":1}', { index: 1, id: "a" })),
        calls(args("{}", { index: 1 })),
      ],
      [
        "start 0 tool_use a f",
        "start 1 tool_use b g",
        '0 input_json {"x":1}',
        "1 input_json {}",
        "stop 0",
        "stop 1 tool_use",
      ],
    ],
    [
      "counted from 1",
      [
        calls({ index: 1, id: "a", function: { name: "f" } }),
        calls(args('{"x":', { index: 1 })),
        calls(args("1}", { index: 1 })),
      ],
      whole,
    ],
    [
      "the id in every chunk",
      [
        calls({ index: 0, id: "a", function: { name: "f" } }),
        calls(args('{"x":', { index: 0, id: "a" })),
        calls(args("1}", { index: 0, id: "a" })),
      ],
      whole,
    ],
    [
      "the name in every chunk",
      [
        calls({ index: 0, id: "a", function: { name: "f", arguments: "" } }),
        calls({ index: 0, function: { name: "f", arguments: '{"x":' } }),
        calls({ index: 0, function: { name: "f", arguments: "1}" } }),
      ],
      whole,
    ],
    [
      "arguments before the name",
      [calls(args('{"x":', { index: 0, id: "a" })), calls({ index: 0, function: { name: "f", arguments: "1}" } })],
      whole,
    ],
    [
      "the id after the name",
      [calls({ index: 0, function: { name: "f" } }), calls({ index: 0, id: "late", function: { arguments: "{}" } })],
      ["start 0 tool_use made-up-0 f", "0 input_json {}", "stop 0 tool_use"],
    ],
    [
      "all arguments so far in each chunk",
      [
        calls({ index: 0, id: "a", function: { name: "f", arguments: '{"x":' } }),
        calls(args('{"x":1', { index: 0 })),
        calls(args('{"x":1}', { index: 0 })),
        calls(args('{"x":1}', { index: 0 })),
      ],
      ["start 0 tool_use a f", '0 input_json {"x":', "0 input_json 1", "0 input_json }", "stop 0 tool_use"],
    ],
    [
      "arguments as an object",
      [calls({ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } })],
      ["start 0 tool_use a f", '0 input_json {"x":1}', "stop 0 tool_use"],
    ],
    [
      "no ids, several whole calls on one index",
      [
        calls({ index: 0, function: { name: "f", arguments: '{"x":1}' } }),
        calls({ index: 0, function: { name: "f", arguments: '{"x":2}' } }),
        calls({ index: 0, function: { name: "g", arguments: "{}" } }),
      ],
      [
        "start 0 tool_use made-up-0 f",
        '0 input_json {"x":1}',
        "stop 0",
        "start 1 tool_use made-up-1 f",
        '1 input_json {"x":2}',
        "stop 1",
        "start 2 tool_use made-up-2 g",
        "2 input_json {}",
        "stop 2 tool_use",
      ],
    ],
    [
      "no ids, equal calls in one chunk",
      [
        calls(
          { function: { name: "f", arguments: '{"x":1}' } },
          { function: { name: "f", arguments: '{"x":1}' } },
          { index: 0, function: { name: "f", arguments: '{"x":1}' } },
        ),
      ],
      [0, 1, 2].flatMap((at) => [
        `start ${at} tool_use made-up-${at} f`,
        `${at} input_json {"x":1}`,
        at === 2 ? "stop 2 tool_use" : `stop ${at}`,
      ]),
    ],
    [
      "no ids, calls without arguments in one chunk",
      [calls({ function: { name: "f" } }, { function: { name: "f" } })],
      ["start 0 tool_use made-up-0 f", "start 1 tool_use made-up-1 f", "stop 0", "stop 1 tool_use"],
    ],
    [
      "one id twice in one chunk",
      [
        calls(
          { id: "a", function: { name: "f", arguments: "{}" } },
          { id: "a", function: { name: "f", arguments: "{}" } },
        ),
      ],
      ["start 0 tool_use a f", "0 input_json {}", "stop 0 tool_use"],
    ],
    [
      "arguments without a name",
      [calls(args('{"x":1}', { index: 0, id: "a" }))],
      ["start 0 tool_use a ", '0 input_json {"x":1}', "stop 0 tool_use"],
    ],
    [
      "no arguments at all",
      [calls({ index: 0, id: "a", function: { name: "f" } })],
      ["start 0 tool_use a f", "stop 0 tool_use"],
    ],
    ["null for no calls", [chunk({ content: "x", tool_calls: null })], ["start 0 text", "0 text x", "stop 0 end_turn"]],
    [
      "the deprecated function_call",
      [chunk({ function_call: { name: "f", arguments: "" } }), chunk({ function_call: { arguments: "{}" } })],
      ["start 0 tool_use made-up-0 f", "0 input_json {}", "stop 0 tool_use"],
    ],
    [
      "a thought signature",
      [calls({ index: 0, id: "a", function: { name: "f" }, extra_content: { google: { thought_signature: "s" } } })],
      [
        "start 0 tool_use a f",
        'stop 0 tool_use {"scheme":"openai-chat","extra":{"extra_content":{"google":{"thought_signature":"s"}}}}',
      ],
    ],
    [
      "text before and after",
      [chunk({ content: "a" }), calls({ index: 0, id: "a", function: { name: "f" } }), chunk({ content: "b" })],
      [
        "start 0 text",
        "0 text a",
        "stop 0",
        "start 1 tool_use a f",
        "start 2 text",
        "2 text b",
        "stop 2",
        "stop 1 tool_use",
      ],
    ],
  ])("%s", (_title, deltas, expected) => {
    const lines = between(deltas, "tool_calls");
    expect(lines.at(-1)?.replace("end_turn", "tool_use")).toBe(expected.at(-1)?.replace("end_turn", "tool_use"));
    expect(lines.slice(0, -1)).toEqual(expected.slice(0, -1));
  });

  test("a server that says stop although there are calls", () => {
    expect(between([calls({ index: 0, id: "a", function: { name: "f" } })], "stop").at(-1)).toBe("stop 0 tool_use");
  });
});

test("arguments after the finish reason are told as unhandled, however they are read", () => {
  const late = calls({ index: 0, function: { arguments: '{"y":2}' } });
  const lines = run(
    calls({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }),
    finish("tool_calls"),
    ...Array.from({ length: 12 }, () => late),
    "[DONE]",
  );
  expect(lines.slice(3)).toEqual([
    "stop 0 tool_use",
    ...Array.from({ length: 12 }, () => "unhandled arguments_after_call"),
    "completed",
  ]);
});

describe("text, thinking, refusals", () => {
  const thought = (extra: Json) => JSON.stringify({ scheme: "openai-chat", extra });

  test.each<[string, Json[], string[]]>([
    ["empty content", [chunk({ role: "assistant", content: "" })], ["start 0 text", "stop 0 end_turn"]],
    [
      "reasoning_content",
      [
        chunk({ reasoning_content: "a", content: null }),
        chunk({ reasoning_content: "b" }),
        chunk({ content: "c", reasoning_content: null }),
      ],
      [
        "start 0 thinking",
        "0 thinking a",
        "0 thinking b",
        `stop 0 ${thought({ field: "reasoning_content" })}`,
        "start 1 text",
        "1 text c",
        "stop 1 end_turn",
      ],
    ],
    [
      "reasoning",
      [chunk({ reasoning: "a", channel: "analysis" })],
      ["start 0 thinking", "0 thinking a", `stop 0 end_turn ${thought({ field: "reasoning" })}`],
    ],
    [
      "both names for the same",
      [chunk({ reasoning: "a", reasoning_content: "a" })],
      ["start 0 thinking", "0 thinking a", `stop 0 end_turn ${thought({ field: "reasoning_content" })}`],
    ],
    [
      "reasoning_details in pieces",
      [
        chunk({ reasoning: "a", reasoning_details: [{ type: "reasoning.text", text: "a", index: 0 }] }),
        chunk({ reasoning: "b", reasoning_details: [{ type: "reasoning.text", text: "b", index: 0, signature: "s" }] }),
        chunk({ reasoning_details: [{ type: "reasoning.encrypted", data: "e", index: 1 }] }),
      ],
      [
        "start 0 thinking",
        "0 thinking a",
        "0 thinking b",
        `stop 0 end_turn ${thought({
          field: "reasoning",
          reasoning_details: [
            { type: "reasoning.text", text: "ab", index: 0, signature: "s" },
            { type: "reasoning.encrypted", data: "e", index: 1 },
          ],
        })}`,
      ],
    ],
    [
      "thinking parts",
      [
        chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "a" }] }] }),
        chunk({ content: [{ type: "text", text: "b" }] }),
      ],
      [
        "start 0 thinking",
        "0 thinking a",
        `stop 0 ${thought({ field: "content" })}`,
        "start 1 text",
        "1 text b",
        "stop 1 end_turn",
      ],
    ],
    [
      "a refusal",
      [chunk({ refusal: "No" }), chunk({ refusal: "." })],
      ["start 0 refusal", "0 refusal No", "0 refusal .", "stop 0 refusal"],
    ],
    [
      "a message instead of a delta",
      [{ choices: [{ message: { content: "x" } }] }],
      ["start 0 text", "0 text x", "stop 0 end_turn"],
    ],
  ])("%s", (_title, deltas, expected) => {
    expect(between(deltas)).toEqual(expected);
  });

  test("one choice is read, the others are told", () => {
    const other = { id: "c", choices: [{ index: 1, delta: { content: "b" } }] };
    expect(between([chunk({ content: "a" }), other])).toEqual([
      "start 0 text",
      "0 text a",
      "unhandled other_choice",
      "stop 0 end_turn",
    ]);
  });
});

describe("the end", () => {
  test.each([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["tool_calls", "tool_use"],
    ["function_call", "tool_use"],
    ["content_filter", "content_filter"],
    ["insufficient_system_resource", "other"],
  ])("%s", (reason, expected) => {
    expect(between([chunk({ content: "a" })], reason).at(-1)).toBe(`stop 0 ${expected}`);
  });

  test("counts in a chunk of their own, in every chunk, in x_groq", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 4,
      total_tokens: 14,
      prompt_tokens_details: { cached_tokens: 6 },
      completion_tokens_details: { reasoning_tokens: 1 },
    };
    const expected =
      'usage {"inputTokens":10,"outputTokens":4,"totalTokens":14,"cacheReadTokens":6,"reasoningTokens":1}';
    const lines = run(chunk({ content: "a" }), finish("stop"), { choices: [], usage }, "[DONE]");
    expect(lines.slice(-2)).toEqual([expected, "completed"]);
    const growing = { ...chunk({ content: "a" }), usage: { ...usage, completion_tokens: 1, total_tokens: 11 } };
    expect(run(growing, { ...finish("stop"), usage }, "[DONE]")).toContain(expected);
    expect(run({ ...finish("stop"), x_groq: { usage } }, "[DONE]")).toContain(expected);
    expect(run(chunk({ content: "a" }), finish("stop"), "[DONE]").some((line) => line.startsWith("usage"))).toBe(false);
  });

  test("without [DONE] after a finish reason, and without a finish reason before [DONE]", () => {
    expect(run(chunk({ content: "a" }), finish("stop")).at(-1)).toBe("completed");
    expect(run(chunk({ content: "a" }), "[DONE]").slice(-2)).toEqual(["stop 0", "completed"]);
  });

  test("[DONE] without a finish reason in the middle of a call", () => {
    const half = calls({ index: 0, id: "a", function: { name: "f", arguments: '{"x":' } });
    expect(run(half, "[DONE]").slice(-3)).toEqual([
      expect.stringContaining("stream_ended"),
      expect.stringContaining("abort 0"),
      "failed",
    ]);
    const whole = calls({ index: 0, id: "a", function: { name: "f", arguments: '{"x":1}' } });
    expect(run(whole, "[DONE]").at(-1)).toBe("completed");
  });

  test("a finish reason that is told twice", () => {
    expect(run(chunk({ content: "a" }), finish("stop"), finish("length"), "[DONE]")).toEqual([
      "started",
      "start 0 text",
      "0 text a",
      "stop 0 end_turn",
      "completed",
    ]);
  });

  test("a stream that breaks off", () => {
    expect(run(chunk({ content: "a" }))).toEqual([
      "started",
      "start 0 text",
      "0 text a",
      "abort 0 stream_ended",
      "failed",
    ]);
  });

  test.each<[string, Json, string]>([
    [
      "an object",
      { error: { message: "Slow down", type: "rate_limit", code: "rate_limit_exceeded" } },
      "error rate_limit_exceeded: Slow down",
    ],
    ["a number as code", { error: { message: "Bad", code: 502 } }, "error 502: Bad"],
    ["a string", { error: "Bad" }, "error -: Bad"],
    ["flat", { object: "error", message: "Bad", type: "BadRequestError" }, "error BadRequestError: Bad"],
  ])("an error: %s", (_title, error, expected) => {
    expect(run(chunk({ content: "a" }), error)).toEqual([
      "started",
      "start 0 text",
      "0 text a",
      expected,
      "abort 0 error",
      "failed",
    ]);
    expect(print(decodeText("openai-chat", JSON.stringify(error)))).toEqual([expected, "failed"]);
  });

  test("an answer that is not streamed", () => {
    const body = {
      choices: [{ index: 0, message: { content: "hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    };
    expect(print(decodeText("openai-chat", JSON.stringify(body)))).toEqual([
      "started",
      "start 0 text",
      "0 text hi",
      "stop 0 end_turn",
      'usage {"inputTokens":1,"outputTokens":1,"totalTokens":2}',
      "completed",
    ]);
  });

  test("comments keep the connection alive", () => {
    expect(print(decodeText("openai-chat", ": OPENROUTER PROCESSING\n\ndata: [DONE]\n\n"))).toEqual([
      "ping",
      "started",
      "completed",
    ]);
  });

  test("blank lines until the answer is ready", () => {
    const stream = `${"\n".repeat(50)}data: [DONE]\n\n`;
    expect(print(decodeText("openai-chat", stream))).toEqual(["started", "completed"]);
    expect(print(decode("openai-chat", new TextEncoder().encode(stream), 1))).toEqual(["started", "completed"]);
  });

  test("what is not known", () => {
    expect(
      run(
        { object: "chat.moderation", flagged: false },
        chunk({ content: "a" }),
        "keepalive",
        finish("stop"),
        "[DONE]",
      ),
    ).toEqual([
      "unhandled chat.moderation",
      "started",
      "start 0 text",
      "0 text a",
      "unhandled ",
      "stop 0 end_turn",
      "completed",
    ]);
  });
});
