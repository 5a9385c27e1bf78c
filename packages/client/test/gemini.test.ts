/** Gemini's parts, reasons and counts. */
import { describe, expect, test } from "vitest";
import { decodeText, expectWellFormed } from "./support/decode.js";
import { print } from "./support/print.js";

type Json = Readonly<Record<string, unknown>>;

function run(...chunks: readonly Json[]): string[] {
  const stream = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join("");
  const events = decodeText("gemini", stream);
  expectWellFormed(events);
  expect(decodeText("gemini", stream, { reference: true })).toEqual(events);
  return print(events);
}

const chunk = (parts: readonly Json[], rest: Json = {}): Json => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...rest }],
});
const kept = (data: Json) => JSON.stringify({ scheme: "gemini", ...data });

function between(...chunks: readonly Json[]): string[] {
  const lines = run(...chunks, chunk([], { finishReason: "STOP" }));
  expect([lines[0], lines.at(-1)]).toEqual(["started", "completed"]);
  return lines.slice(1, -1);
}

describe("parts", () => {
  const call = (args: Json, rest: Json = {}) => ({ functionCall: { name: "f", args }, ...rest });

  test.each<[string, Json[], string[]]>([
    [
      "text",
      [chunk([{ text: "a" }]), chunk([{ text: "b" }]), chunk([{ text: "" }])],
      ["start 0 text", "0 text a", "0 text b", "stop 0 end_turn"],
    ],
    [
      "thoughts, then text",
      [chunk([{ text: "hm", thought: true }]), chunk([{ text: "a" }])],
      ["start 0 thinking", "0 thinking hm", "stop 0", "start 1 text", "1 text a", "stop 1 end_turn"],
    ],
    [
      "a signed text, and text after it",
      [chunk([{ text: "a", thoughtSignature: "s" }]), chunk([{ text: "b" }])],
      ["start 0 text", "0 text a", `stop 0 ${kept({ signature: "s" })}`, "start 1 text", "1 text b", "stop 1 end_turn"],
    ],
    [
      "a signature alone",
      [chunk([{ text: "a" }]), chunk([{ text: "", thoughtSignature: "s" }])],
      ["start 0 text", "0 text a", `stop 0 end_turn ${kept({ signature: "s" })}`],
    ],
    [
      "a call with id and signature",
      [chunk([{ functionCall: { id: "x", name: "f", args: { a: 1 } }, thoughtSignature: "s" }])],
      ["start 0 tool_use x f", '0 input_json {"a":1}', `stop 0 tool_use ${kept({ id: "x", signature: "s" })}`],
    ],
    [
      "parallel calls without ids",
      [chunk([call({ a: 1 }, { thoughtSignature: "s" }), call({ a: 2 })])],
      [
        "start 0 tool_use made-up-0 f",
        '0 input_json {"a":1}',
        `stop 0 ${kept({ signature: "s" })}`,
        "start 1 tool_use made-up-1 f",
        '1 input_json {"a":2}',
        "stop 1 tool_use",
      ],
    ],
    [
      "a signed call that is repeated without its signature",
      [chunk([call({ a: 1 }, { thoughtSignature: "s" })]), chunk([call({ a: 1 })])],
      ["start 0 tool_use made-up-0 f", '0 input_json {"a":1}', `stop 0 tool_use ${kept({ signature: "s" })}`],
    ],
    [
      "a call without arguments",
      [chunk([{ functionCall: { name: "f" } }])],
      ["start 0 tool_use made-up-0 f", "0 input_json {}", "stop 0 tool_use"],
    ],
    [
      "arguments in pieces",
      [
        chunk([{ functionCall: { id: "x", name: "f", willContinue: true } }]),
        chunk([
          {
            functionCall: {
              partialArgs: [{ jsonPath: "$.city", stringValue: "Par", willContinue: true }],
              willContinue: true,
            },
          },
        ]),
        chunk([
          {
            functionCall: {
              partialArgs: [
                { jsonPath: "$.city", stringValue: "is" },
                { jsonPath: "$.tags[1].n", numberValue: 2 },
              ],
              willContinue: true,
            },
          },
        ]),
        chunk([
          {
            functionCall: {
              partialArgs: [
                { jsonPath: "$['a b']", boolValue: true },
                { jsonPath: "$.none", nullValue: "NULL_VALUE" },
              ],
            },
          },
        ]),
      ],
      [
        "start 0 tool_use x f",
        '0 input_json {"city":"Paris","tags":[null,{"n":2}],"a b":true,"none":null}',
        `stop 0 tool_use ${kept({ id: "x" })}`,
      ],
    ],
    [
      "code that the server ran",
      [
        chunk([{ executableCode: { language: "PYTHON", code: "1" } }]),
        chunk([{ codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } }]),
      ],
      [
        "start 0 server_tool_use made-up-0 code_execution",
        `stop 0 ${kept({ extra: { part: { executableCode: { language: "PYTHON", code: "1" } } } })}`,
        "start 1 tool_result made-up-0 code_execution",
        `stop 1 end_turn ${kept({ extra: { part: { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } } } })}`,
      ],
    ],
    [
      "tools of the server",
      [chunk([{ toolCall: { id: "t", toolType: "SEARCH" } }, { toolResponse: { id: "t", toolType: "SEARCH" } }])],
      [
        "start 0 server_tool_use t SEARCH",
        `stop 0 ${kept({ extra: { part: { toolCall: { id: "t", toolType: "SEARCH" } } } })}`,
        "start 1 tool_result t SEARCH",
        `stop 1 end_turn ${kept({ extra: { part: { toolResponse: { id: "t", toolType: "SEARCH" } } } })}`,
      ],
    ],
    [
      "an image",
      [chunk([{ inlineData: { mimeType: "image/png", data: "AA" } }])],
      [
        "start 0 thinking",
        `stop 0 end_turn ${kept({ extra: { part: { inlineData: { mimeType: "image/png", data: "AA" } } } })}`,
      ],
    ],
    ["a part that is not known", [chunk([{ hologram: {} }])], ["unhandled part", "start 0 text", "stop 0 end_turn"]],
    [
      "a second candidate",
      [{ candidates: [{ content: { parts: [{ text: "b" }] }, index: 1 }] }, chunk([{ text: "a" }])],
      ["unhandled other_candidate", "start 0 text", "0 text a", "stop 0 end_turn"],
    ],
  ])("%s", (_title, chunks, expected) => {
    expect(between(...chunks)).toEqual(expected);
  });

  test("a path into what all objects share is left alone", () => {
    const pieces = [
      { jsonPath: "$.__proto__.polluted", stringValue: "x" },
      { jsonPath: "$.constructor.prototype.polluted", stringValue: "x" },
    ];
    between(chunk([{ functionCall: { name: "f", partialArgs: pieces } }]));
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("the end", () => {
  test.each<readonly [string, string]>([
    ["STOP", "end_turn"],
    ["MAX_TOKENS", "max_tokens"],
    ...[
      "SAFETY",
      "RECITATION",
      "BLOCKLIST",
      "PROHIBITED_CONTENT",
      "SPII",
      "IMAGE_SAFETY",
      "IMAGE_PROHIBITED_CONTENT",
      "IMAGE_RECITATION",
      "MODEL_ARMOR",
    ].map((reason) => [reason, "content_filter"] as const),
    ["CONTINUATION", "pause"],
    ...[
      "FINISH_REASON_UNSPECIFIED",
      "LANGUAGE",
      "OTHER",
      "MALFORMED_FUNCTION_CALL",
      "IMAGE_OTHER",
      "NO_IMAGE",
      "UNEXPECTED_TOOL_CALL",
      "TOO_MANY_TOOL_CALLS",
      "MISSING_THOUGHT_SIGNATURE",
      "MALFORMED_RESPONSE",
      "ESCALATION",
      "PUP_LIMITED_DISABLED",
      "OF_THE_FUTURE",
    ].map((reason) => [reason, "other"] as const),
  ])("%s", (finishReason, expected) => {
    expect(run(chunk([{ text: "a" }], { finishReason })).slice(-2)).toEqual([`stop 0 ${expected}`, "completed"]);
  });

  test("counts are in every chunk and told once", () => {
    const counts = (n: number) => ({
      usageMetadata: {
        promptTokenCount: 10,
        toolUsePromptTokenCount: 2,
        candidatesTokenCount: n,
        thoughtsTokenCount: 3,
        cachedContentTokenCount: 4,
        totalTokenCount: 15 + n,
      },
    });
    const chunks = Array.from({ length: 9 }, (_, n) => ({ ...chunk([{ text: "a" }]), ...counts(n) }));
    const lines = run(...chunks, { ...chunk([{ text: "." }], { finishReason: "STOP" }), ...counts(9) });
    expect(lines.slice(-2)).toEqual([
      'usage {"inputTokens":12,"outputTokens":12,"totalTokens":24,"cacheReadTokens":4,"reasoningTokens":3}',
      "completed",
    ]);
    expect(run(...chunks).at(-2)).toBe(
      'usage {"inputTokens":12,"outputTokens":11,"totalTokens":23,"cacheReadTokens":4,"reasoningTokens":3}',
    );
  });

  test("a blocked prompt, an error, a body that is an array, a stream that breaks off", () => {
    expect(run({ promptFeedback: { blockReason: "SAFETY" } })).toEqual([
      "started",
      "start 0 text",
      "stop 0 content_filter",
      "completed",
    ]);
    const error = { error: { code: 503, message: "Overloaded", status: "UNAVAILABLE" } };
    expect(run(chunk([{ text: "a" }]), error).slice(2)).toEqual([
      "0 text a",
      "error UNAVAILABLE: Overloaded",
      "abort 0 error",
      "failed",
    ]);
    expect(print(decodeText("gemini", JSON.stringify([error])))).toEqual(["error UNAVAILABLE: Overloaded", "failed"]);
    const array = [chunk([{ text: "a" }]), chunk([{ text: "b" }], { finishReason: "STOP" })];
    expect(print(decodeText("gemini", JSON.stringify(array, undefined, 1)))).toEqual([
      "started",
      "start 0 text",
      "0 text a",
      "0 text b",
      "stop 0 end_turn",
      "completed",
    ]);
    expect(run(chunk([{ text: "a" }])).slice(-2)).toEqual(["abort 0 stream_ended", "failed"]);
  });
});
