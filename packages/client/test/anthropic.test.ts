/** Anthropic Messages, event by event. */
import { describe, expect, test } from "vitest";
import { decodeText, expectWellFormed } from "./support/decode.js";
import { print } from "./support/print.js";

type Wire = { readonly type: string; readonly [key: string]: unknown };

const START: Wire = {
  type: "message_start",
  message: { usage: { input_tokens: 3, cache_read_input_tokens: 5, output_tokens: 1 } },
};
const STOP: readonly Wire[] = [
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];
const USAGE = 'usage {"inputTokens":8,"outputTokens":7,"totalTokens":15,"cacheReadTokens":5}';

function run(...wire: readonly Wire[]): string[] {
  const stream = wire.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  const events = decodeText("anthropic", stream);
  expectWellFormed(events);
  expect(decodeText("anthropic", stream, { reference: true })).toEqual(events);
  return print(events);
}

/** What the response says between its start and its end. */
function between(...wire: readonly Wire[]): string[] {
  const lines = run(START, ...wire, ...STOP);
  expect(lines[0]).toBe("started");
  expect(lines.slice(-2)).toEqual([USAGE, "completed"]);
  return lines.slice(1, -2);
}

const start = (content_block: object, index = 0): Wire => ({ type: "content_block_start", index, content_block });
const delta = (delta: object, index = 0): Wire => ({ type: "content_block_delta", index, delta });
const stop = (index = 0): Wire => ({ type: "content_block_stop", index });
const kept = (data: object) => JSON.stringify({ scheme: "anthropic", ...data });

describe("blocks", () => {
  test.each<[string, Wire[], string[]]>([
    [
      "text",
      [
        start({ type: "text", text: "" }),
        delta({ type: "text_delta", text: "a" }),
        delta({ type: "text_delta", text: "" }),
        stop(),
      ],
      ["start 0 text", "0 text a", "stop 0 end_turn"],
    ],
    [
      "text in the start",
      [start({ type: "text", text: "hi" }), stop()],
      ["start 0 text", "0 text hi", "stop 0 end_turn"],
    ],
    [
      "citations",
      [
        start({ type: "text", text: "", citations: [] }),
        delta({ type: "citations_delta", citation: { cited_text: "x" } }),
        delta({ type: "text_delta", text: "a" }),
        stop(),
      ],
      ["start 0 text", "0 text a", `stop 0 end_turn ${kept({ extra: { citations: [{ cited_text: "x" }] } })}`],
    ],
    [
      "thinking with its signature",
      [
        start({ type: "thinking", thinking: "", signature: "" }),
        delta({ type: "thinking_delta", thinking: "hm" }),
        delta({ type: "signature_delta", signature: "sig" }),
        stop(),
        start({ type: "text", text: "" }, 1),
        stop(1),
      ],
      ["start 0 thinking", "0 thinking hm", `stop 0 ${kept({ signature: "sig" })}`, "start 1 text", "stop 1 end_turn"],
    ],
    [
      "redacted thinking",
      [start({ type: "redacted_thinking", data: "xyz" }), stop()],
      ["start 0 thinking", `stop 0 end_turn ${kept({ encrypted: "xyz" })}`],
    ],
    [
      "a tool call",
      [
        start({ type: "tool_use", id: "t1", name: "f", input: {}, caller: { type: "direct" } }),
        delta({ type: "input_json_delta", partial_json: "" }),
        delta({ type: "input_json_delta", partial_json: '{"a":' }),
        delta({ type: "input_json_delta", partial_json: "1}" }),
        stop(),
      ],
      ["start 0 tool_use t1 f", '0 input_json {"a":', "0 input_json 1}", "stop 0 end_turn"],
    ],
    [
      "a call without arguments",
      [start({ type: "tool_use", id: "t1", name: "f", input: {} }), stop()],
      ["start 0 tool_use t1 f", "stop 0 end_turn"],
    ],
    [
      "a call that comes whole",
      [start({ type: "tool_use", id: "t1", name: "f", input: { a: 1 } }), stop()],
      ["start 0 tool_use t1 f", '0 input_json {"a":1}', "stop 0 end_turn"],
    ],
    [
      "a call without an id",
      [start({ type: "tool_use", name: "f", input: {} }), stop()],
      ["start 0 tool_use made-up-0 f", "stop 0 end_turn"],
    ],
    [
      "a call by another tool",
      [
        start({ type: "tool_use", id: "t1", name: "f", input: {}, caller: { type: "code_execution", tool_id: "c" } }),
        stop(),
      ],
      [
        "start 0 tool_use t1 f",
        `stop 0 end_turn ${kept({ extra: { caller: { type: "code_execution", tool_id: "c" } } })}`,
      ],
    ],
    [
      "a tool of the server",
      [
        start({ type: "server_tool_use", id: "s1", name: "web_search", input: {} }),
        delta({ type: "input_json_delta", partial_json: '{"q":1}' }),
        stop(),
      ],
      [
        "start 0 server_tool_use s1 web_search",
        '0 input_json {"q":1}',
        `stop 0 end_turn ${kept({ extra: { block: { type: "server_tool_use", id: "s1", name: "web_search", input: { q: 1 } } } })}`,
      ],
    ],
    [
      "compaction",
      [
        start({ type: "compaction", content: null }),
        delta({ type: "compaction_delta", content: "so " }),
        delta({ type: "compaction_delta", content: "far", encrypted_content: "e" }),
        stop(),
      ],
      [
        "start 0 thinking",
        `stop 0 end_turn ${kept({ extra: { block: { type: "compaction", content: "so far", encrypted_content: "e" } } })}`,
      ],
    ],
    [
      "a text without a start",
      [delta({ type: "text_delta", text: "a" }, 4), stop(4)],
      ["start 0 text", "0 text a", "stop 0 end_turn"],
    ],
    [
      "indices of the provider's own",
      [start({ type: "text", text: "a" }, 7), stop(7), start({ type: "text", text: "b" }, 9), stop(9)],
      ["start 0 text", "0 text a", "stop 0", "start 1 text", "1 text b", "stop 1 end_turn"],
    ],
    [
      "a block that is never stopped",
      [start({ type: "text", text: "a" }), start({ type: "text", text: "b" }, 1)],
      ["start 0 text", "0 text a", "start 1 text", "1 text b", "stop 0", "stop 1 end_turn"],
    ],
    ["no block at all", [], ["start 0 text", "stop 0 end_turn"]],
  ])("%s", (_title, wire, expected) => {
    expect(between(...wire)).toEqual(expected);
  });

  test.each([
    "web_search",
    "web_fetch",
    "code_execution",
    "bash_code_execution",
    "text_editor_code_execution",
    "tool_search",
    "mcp",
    "advisor",
  ])("the result of %s", (name) => {
    const block = { type: `${name}_tool_result`, tool_use_id: "s1", content: [{ x: 1 }] };
    expect(between(start(block), stop())).toEqual([
      `start 0 tool_result s1 ${name}`,
      `stop 0 end_turn ${kept({ extra: { block } })}`,
    ]);
  });

  test.each(["fallback", "container_upload", "mcp_tool_listing"])("%s is kept and not shown", (type) => {
    const block = { type, x: 1 };
    expect(between(start(block), stop())).toEqual([
      "start 0 thinking",
      `stop 0 end_turn ${kept({ extra: { block } })}`,
    ]);
  });
});

describe("what is not known", () => {
  test("a block type, with its deltas", () => {
    const lines = between(
      start({ type: "hologram" }),
      delta({ type: "beam_delta" }),
      stop(),
      start({ type: "text", text: "a" }, 1),
      stop(1),
    );
    expect(lines).toEqual([
      "unhandled content_block_start:hologram",
      "unhandled content_block_delta:beam_delta",
      "unhandled content_block_stop",
      "start 0 text",
      "0 text a",
      "stop 0 end_turn",
    ]);
  });

  test("an event, a delta type, arguments for nothing, text that is no JSON", () => {
    expect(
      between(
        { type: "message_wave" },
        start({ type: "text", text: "a" }),
        delta({ type: "glow_delta" }),
        delta({ type: "input_json_delta", partial_json: "1" }, 5),
      ),
    ).toEqual([
      "unhandled message_wave",
      "start 0 text",
      "0 text a",
      "unhandled content_block_delta:glow_delta",
      "unhandled content_block_delta:input_json_delta",
      "stop 0 end_turn",
    ]);
    expect(print(decodeText("anthropic", "event: x\ndata: hello\n\n"))).toEqual(["unhandled x", "failed"]);
  });

  test("what comes after the end", () => {
    expect(run(START, ...STOP, { type: "ping" }).slice(-2)).toEqual(["completed", "unhandled ping"]);
  });
});

describe("the end", () => {
  test.each([
    ["end_turn", "end_turn"],
    ["max_tokens", "max_tokens"],
    ["stop_sequence", "stop_sequence"],
    ["tool_use", "tool_use"],
    ["pause_turn", "pause"],
    ["compaction", "pause"],
    ["refusal", "refusal"],
    ["model_context_window_exceeded", "context_exceeded"],
    ["out_of_ideas", "other"],
  ])("%s", (reason, expected) => {
    const lines = run(
      START,
      start({ type: "text", text: "" }),
      stop(),
      { type: "message_delta", delta: { stop_reason: reason } },
      { type: "message_stop" },
    );
    expect(lines).toContain(`stop 0 ${expected}`);
  });

  test("counts are merged and told once", () => {
    const lines = run(START, {
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: {
        input_tokens: 4,
        cache_creation_input_tokens: 2,
        output_tokens: 9,
        output_tokens_details: { thinking_tokens: 6 },
      },
    });
    expect(lines.filter((line) => line.startsWith("usage"))).toEqual([
      'usage {"inputTokens":11,"outputTokens":9,"totalTokens":20,"cacheReadTokens":5,"cacheWriteTokens":2,"reasoningTokens":6}',
    ]);
  });

  test("an error ends the response", () => {
    const error: Wire = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(run(START, start({ type: "text", text: "a" }), error)).toEqual([
      "started",
      "start 0 text",
      "0 text a",
      "error overloaded_error: Overloaded",
      "abort 0 error",
      'usage {"inputTokens":8,"outputTokens":1,"totalTokens":9,"cacheReadTokens":5}',
      "failed",
    ]);
    expect(print(decodeText("anthropic", JSON.stringify(error)))).toEqual([
      "error overloaded_error: Overloaded",
      "failed",
    ]);
  });

  test("a stream that breaks off aborts what is open and stops what was finished", () => {
    const lines = run(
      START,
      start({ type: "text", text: "a" }),
      stop(),
      start({ type: "tool_use", id: "t", name: "f" }, 1),
    );
    expect(lines.slice(3)).toEqual([
      "stop 0",
      "start 1 tool_use t f",
      "abort 1 stream_ended",
      expect.stringContaining("usage"),
      "failed",
    ]);
  });

  test("an event that is cut is not read, one that only lacks its line end is", () => {
    const body = 'data: {"type":"ping"}\n\ndata: {"type":"message_stop"}';
    expect(print(decodeText("anthropic", body.slice(0, -1)))).toEqual(["ping", "failed"]);
    expect(print(decodeText("anthropic", body))).toEqual(["ping", "started", "completed"]);
  });

  test("an answer that is not streamed", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "text", text: "a" },
      { type: "tool_use", id: "t", name: "f", input: { x: 1 } },
    ];
    const body = { type: "message", content, stop_reason: "tool_use", usage: { input_tokens: 1, output_tokens: 2 } };
    expect(print(decodeText("anthropic", JSON.stringify(body)))).toEqual([
      "started",
      "start 0 thinking",
      "0 thinking hm",
      `stop 0 ${kept({ signature: "s" })}`,
      "start 1 text",
      "1 text a",
      "stop 1",
      "start 2 tool_use t f",
      '2 input_json {"x":1}',
      "stop 2 tool_use",
      'usage {"inputTokens":1,"outputTokens":2,"totalTokens":3}',
      "completed",
    ]);
  });

  test("JSON that is broken", () => {
    expect(print(decodeText("anthropic", 'data: {"type":\n\n'))).toEqual([
      "error parse_error: The provider sent an event that is not JSON.",
      "failed",
    ]);
  });

  test("a stream that a gateway has put into base64", () => {
    const plain = 'event: ping\ndata: {"type":"ping"}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n';
    expect(print(decodeText("anthropic", btoa(plain)))).toEqual(["ping", "started", "completed"]);
    expect(print(decodeText("anthropic", "notbase64atallbutlong"))[0]).toContain("not_a_stream");
  });

  test("a stream that begins with a long field of its own", () => {
    const stream = 'extensionfieldwithalongname: 1\ndata: {"type":"ping"}\n\n';
    expect(print(decodeText("anthropic", stream))).toEqual(["ping", "failed"]);
  });

  test("a page that is no stream", () => {
    const [first, ...rest] = print(decodeText("anthropic", "<html>\n<body>502 Bad Gateway</body>\n"));
    expect(first).toContain("error not_a_stream: The answer is not a stream of this scheme. It begins with: <html>");
    expect(rest).toEqual(["failed"]);
  });
});
