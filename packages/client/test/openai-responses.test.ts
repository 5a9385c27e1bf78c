/** The Responses API, event by event. */
import { describe, expect, test } from "vitest";
import { decodeText, expectWellFormed } from "./support/decode.js";
import { print } from "./support/print.js";

type Json = Readonly<Record<string, unknown>>;

function run(...wire: readonly Json[]): string[] {
  const stream = wire
    .map((event, at) => `event: ${String(event.type)}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`)
    .join("");
  const events = decodeText("openai-responses", stream);
  expectWellFormed(events);
  expect(decodeText("openai-responses", stream, { reference: true })).toEqual(events);
  return print(events);
}

const CREATED: Json = { type: "response.created", response: { status: "in_progress", output: [] } };
const completed = (response: Json = {}): Json => ({
  type: "response.completed",
  response: { status: "completed", ...response },
});
const added = (item: Json, output_index = 0): Json => ({ type: "response.output_item.added", output_index, item });
const done = (item: Json, output_index = 0): Json => ({ type: "response.output_item.done", output_index, item });
const part = (type: string, rest: Json = {}): Json => ({
  type: `response.${type}`,
  output_index: 0,
  content_index: 0,
  item_id: "i",
  ...rest,
});
const kept = (data: Json) => JSON.stringify({ scheme: "openai-responses", ...data });

function between(...wire: readonly Json[]): string[] {
  const lines = run(CREATED, ...wire, completed());
  expect([lines[0], lines.at(-1)]).toEqual(["started", "completed"]);
  return lines.slice(1, -1);
}

describe("items", () => {
  const message = { type: "message", id: "m1", role: "assistant", content: [] };
  const call = { type: "function_call", id: "fc1", call_id: "c1", name: "f", arguments: "" };
  const reasoning = { type: "reasoning", id: "r1", summary: [] };

  test.each<[string, Json[], string[]]>([
    [
      "arguments before the call's item",
      [
        part("function_call_arguments.delta", { delta: '{"x":' }),
        added(call),
        part("function_call_arguments.delta", { delta: "1}" }),
        done({ ...call, arguments: '{"x":1}' }),
      ],
      ["start 0 tool_use c1 f", '0 input_json {"x":', "0 input_json 1}", `stop 0 tool_use ${kept({ id: "fc1" })}`],
    ],
    [
      "a message",
      [
        added(message),
        part("content_part.added", { part: { type: "output_text", text: "" } }),
        part("output_text.delta", { delta: "a" }),
        part("output_text.delta", { delta: "b" }),
        part("output_text.done", { text: "ab" }),
        part("content_part.done", { part: { type: "output_text", text: "ab" } }),
        done({ ...message, content: [{ type: "output_text", text: "ab" }] }),
      ],
      ["start 0 text", "0 text a", "0 text b", `stop 0 end_turn ${kept({ id: "m1" })}`],
    ],
    [
      "text only in .done",
      [added(message), part("output_text.done", { text: "ab" }), done(message)],
      ["start 0 text", "0 text ab", `stop 0 end_turn ${kept({ id: "m1" })}`],
    ],
    [
      "text only in the item",
      [done({ ...message, content: [{ type: "output_text", text: "ab", annotations: [] }] })],
      ["start 0 text", "0 text ab", `stop 0 end_turn ${kept({ id: "m1" })}`],
    ],
    [
      "phase and annotations",
      [
        added(message),
        part("output_text.delta", { delta: "a" }),
        part("output_text.annotation.added", { annotation: { url: "u" } }),
        done({ ...message, phase: "commentary" }),
      ],
      [
        "start 0 text",
        "0 text a",
        `stop 0 end_turn ${kept({ id: "m1", extra: { phase: "commentary", annotations: [{ url: "u" }] } })}`,
      ],
    ],
    [
      "a refusal",
      [added(message), part("refusal.delta", { delta: "No" }), part("refusal.done", { refusal: "No." }), done(message)],
      ["start 0 refusal", "0 refusal No", "0 refusal .", `stop 0 refusal ${kept({ id: "m1" })}`],
    ],
    [
      "a call",
      [
        added(call),
        part("function_call_arguments.delta", { delta: '{"a":' }),
        part("function_call_arguments.delta", { delta: "1}" }),
        part("function_call_arguments.done", { arguments: '{"a":1}' }),
        done({ ...call, arguments: '{"a":1}' }),
      ],
      ["start 0 tool_use c1 f", '0 input_json {"a":', "0 input_json 1}", `stop 0 tool_use ${kept({ id: "fc1" })}`],
    ],
    [
      "arguments only in .done",
      [added(call), part("function_call_arguments.done", { arguments: "{}" }), done(call)],
      ["start 0 tool_use c1 f", "0 input_json {}", `stop 0 tool_use ${kept({ id: "fc1" })}`],
    ],
    [
      "arguments only in the item",
      [added(call), done({ ...call, arguments: "{}" })],
      ["start 0 tool_use c1 f", "0 input_json {}", `stop 0 tool_use ${kept({ id: "fc1" })}`],
    ],
    [
      "a call without arguments",
      [added(call), done(call)],
      ["start 0 tool_use c1 f", `stop 0 tool_use ${kept({ id: "fc1" })}`],
    ],
    [
      "arguments before the item",
      [part("function_call_arguments.delta", { delta: "{}" }), done({ ...call, arguments: "{}" })],
      ["start 0 tool_use c1 f", "0 input_json {}", `stop 0 tool_use ${kept({ id: "fc1" })}`],
    ],
    [
      "a custom tool",
      [
        added({ ...call, type: "custom_tool_call" }),
        done({ type: "custom_tool_call", id: "x", call_id: "c1", name: "f", input: 'a"b' }),
      ],
      [
        "start 0 tool_use c1 f",
        '0 input_json {"input":"a\\"b"}',
        `stop 0 tool_use ${kept({ id: "x", extra: { custom: true } })}`,
      ],
    ],
    [
      "reasoning with a summary of two parts",
      [
        added(reasoning),
        part("reasoning_summary_part.added", { summary_index: 0 }),
        part("reasoning_summary_text.delta", { summary_index: 0, delta: "a" }),
        part("reasoning_summary_text.done", { summary_index: 0, text: "a" }),
        part("reasoning_summary_text.delta", { summary_index: 1, delta: "b" }),
        done({ ...reasoning, encrypted_content: "e", summary: [{ text: "a" }, { text: "b" }] }),
        done({ ...message, content: [{ type: "output_text", text: "x" }] }, 1),
      ],
      [
        "start 0 thinking",
        "0 thinking a",
        "0 thinking \n\n",
        "0 thinking b",
        `stop 0 ${kept({ id: "r1", encrypted: "e", summary: ["a", "b"] })}`,
        "start 1 text",
        "1 text x",
        `stop 1 end_turn ${kept({ id: "m1" })}`,
      ],
    ],
    [
      "open reasoning text",
      [
        added(reasoning),
        part("reasoning_text.delta", { delta: "a" }),
        done({ ...reasoning, content: [{ type: "reasoning_text", text: "a" }] }),
      ],
      [
        "start 0 thinking",
        "0 thinking a",
        `stop 0 end_turn ${kept({ id: "r1", summary: [], extra: { content: [{ type: "reasoning_text", text: "a" }] } })}`,
      ],
    ],
    [
      "a call of the server with arguments",
      [
        added({ type: "mcp_call", id: "x", name: "f" }),
        part("mcp_call_arguments.delta", { delta: "{}" }),
        done({ type: "mcp_call", id: "x", name: "f", output: "o" }),
      ],
      [
        "start 0 server_tool_use x f",
        "0 input_json {}",
        `stop 0 end_turn ${kept({ extra: { item: { type: "mcp_call", id: "x", name: "f", output: "o" } } })}`,
      ],
    ],
    [
      "an item that is never done",
      [added(message), part("output_text.delta", { delta: "a" })],
      ["start 0 text", "0 text a", `stop 0 end_turn ${kept({ id: "m1" })}`],
    ],
    [
      "text without its item",
      [part("output_text.delta", { delta: "a" })],
      ["start 0 text", "0 text a", "stop 0 end_turn"],
    ],
  ])("%s", (_title, wire, expected) => {
    expect(between(...wire)).toEqual(expected);
  });

  test.each([
    ["web_search_call", "start 0 server_tool_use i web_search"],
    ["file_search_call", "start 0 server_tool_use i file_search"],
    ["code_interpreter_call", "start 0 server_tool_use i code_interpreter"],
    ["image_generation_call", "start 0 server_tool_use i image_generation"],
    ["computer_call", "start 0 server_tool_use i computer"],
    ["local_shell_call", "start 0 server_tool_use i local_shell"],
    ["shell_call", "start 0 server_tool_use i shell"],
    ["apply_patch_call", "start 0 server_tool_use i apply_patch"],
    ["tool_search_call", "start 0 server_tool_use i tool_search"],
    ["tool_search_output", "start 0 tool_result i tool_search"],
    ["shell_call_output", "start 0 tool_result i shell_call"],
    ["compaction", "start 0 thinking"],
    ["mcp_list_tools", "start 0 thinking"],
    ["mcp_approval_request", "start 0 thinking"],
  ])("%s is kept as it came", (type, start) => {
    const item = { type, id: "i" };
    expect(between(added(item), done({ ...item, x: 1 }))).toEqual([
      start,
      `stop 0 end_turn ${kept({ extra: { item: { ...item, x: 1 } } })}`,
    ]);
  });

  test("an item type that is not known", () => {
    expect(between(added({ type: "hologram" }), done({ type: "hologram" }))).toEqual([
      "unhandled response.output_item.added:hologram",
      "unhandled response.output_item.done:hologram",
      "start 0 text",
      "stop 0 end_turn",
    ]);
  });
});

/** Events that are known and carry nothing that the finished item does not carry: progress, previews, logs. */
const PROGRESS = [
  "audio.delta",
  "audio.done",
  "audio.transcript.delta",
  "audio.transcript.done",
  "code_interpreter_call.completed",
  "code_interpreter_call.in_progress",
  "code_interpreter_call.interpreting",
  "code_interpreter_call_code.delta",
  "code_interpreter_call_code.done",
  "compaction.compacting",
  "custom_tool_call_input.delta",
  "custom_tool_call_input.done",
  "file_search_call.completed",
  "file_search_call.in_progress",
  "file_search_call.searching",
  "image_generation_call.completed",
  "image_generation_call.generating",
  "image_generation_call.in_progress",
  "image_generation_call.partial_image",
  "mcp_call.completed",
  "mcp_call.failed",
  "mcp_call.in_progress",
  "mcp_list_tools.completed",
  "mcp_list_tools.failed",
  "mcp_list_tools.in_progress",
  "shell_call_command.added",
  "shell_call_command.delta",
  "shell_call_command.done",
  "shell_call_output_content.delta",
  "shell_call_output_content.done",
  "steer",
  "steer.accepted",
  "steer.failed",
  "steer.pending",
  "web_search_call.completed",
  "web_search_call.in_progress",
  "web_search_call.searching",
  "of_the_future",
];

test.each(PROGRESS)("response.%s is told and harms nothing", (name) => {
  expect(between(part(name))).toEqual([`unhandled response.${name}`, "start 0 text", "stop 0 end_turn"]);
});

describe("the end", () => {
  const text = { type: "message", content: [{ type: "output_text", text: "a" }] };

  test("counts", () => {
    const usage = {
      input_tokens: 9,
      output_tokens: 4,
      total_tokens: 13,
      input_tokens_details: { cached_tokens: 5 },
      output_tokens_details: { reasoning_tokens: 2 },
    };
    expect(run(CREATED, done(text), completed({ usage })).slice(-2)).toEqual([
      'usage {"inputTokens":9,"outputTokens":4,"totalTokens":13,"cacheReadTokens":5,"reasoningTokens":2}',
      "completed",
    ]);
  });

  test("items that only the completed response has", () => {
    expect(run(completed({ output: [text] }))).toEqual([
      "started",
      "start 0 text",
      "0 text a",
      "stop 0 end_turn",
      "completed",
    ]);
    expect(
      print(
        decodeText("openai-responses", JSON.stringify({ object: "response", status: "completed", output: [text] })),
      ),
    ).toEqual(["started", "start 0 text", "0 text a", "stop 0 end_turn", "completed"]);
  });

  test.each([
    ["max_output_tokens", "max_tokens"],
    ["content_filter", "content_filter"],
    ["boredom", "other"],
  ])("incomplete: %s", (reason, expected) => {
    const lines = run(CREATED, done(text), {
      type: "response.incomplete",
      response: { incomplete_details: { reason } },
    });
    expect(lines.slice(-2)).toEqual([`stop 0 ${expected}`, "completed"]);
  });

  test.each<[string, Json]>([
    ["response.failed", { type: "response.failed", response: { error: { code: "server_error", message: "Bad" } } }],
    ["error", { type: "error", code: "server_error", message: "Bad", param: null }],
    ["error with an object", { type: "error", error: { type: "server_error", message: "Bad" } }],
  ])("%s", (_title, event) => {
    const lines = run(CREATED, added({ type: "message" }), part("output_text.delta", { delta: "a" }), event);
    expect(lines).toEqual([
      "started",
      "start 0 text",
      "0 text a",
      "error server_error: Bad",
      "abort 0 error",
      "failed",
    ]);
  });

  test("an error body, and a stream that breaks off", () => {
    const body = { error: { message: "No", type: "invalid_request_error", code: null } };
    expect(print(decodeText("openai-responses", JSON.stringify(body)))).toEqual([
      "error invalid_request_error: No",
      "failed",
    ]);
    expect(run(CREATED, added({ type: "function_call", call_id: "c", name: "f" })).slice(1)).toEqual([
      "start 0 tool_use c f",
      "abort 0 stream_ended",
      "failed",
    ]);
  });
});
