/** Bodies that providers answered with 400, each with what is sent instead. */
import { describe, expect, test } from "vitest";
import {
  assistantMessage,
  ClientError,
  type ContentPart,
  functionCallOutput,
  type Item,
  type RequestConfig,
  type SchemeName,
  schemes,
  userMessage,
} from "../src/index.js";
import { PNG } from "./support/request.js";

const NAMES: readonly SchemeName[] = ["anthropic", "openai-chat", "openai-responses", "gemini", "ollama"];
const user = userMessage;
const call = (callId: string, args = "{}"): Item => ({ type: "function_call", callId, name: "t", arguments: args });
const says = (...content: ContentPart[]): Item => ({ type: "message", role: "user", content });

function body(name: SchemeName, items: readonly Item[], config: RequestConfig = {}, model = "m") {
  return JSON.parse(schemes[name].encode({ items, tools: [], config }, { model }));
}

/** The content of the last message. */
function last(name: SchemeName, items: readonly Item[]) {
  const { messages, input, contents } = body(name, items);
  const message = (messages ?? input ?? contents).at(-1);
  return message.content ?? message.parts ?? message.output;
}

describe("halves of surrogate pairs", () => {
  const half = "Report 👍".slice(0, 8);

  test.each(NAMES)("%s", (name) => {
    const tools = [{ name: "t", description: half, inputSchema: { description: half } }];
    const items = [user(half), call("c", JSON.stringify({ half })), functionCallOutput("c", half)];
    const text = schemes[name].encode({ systemPrompt: half, items, tools, config: {} }, { model: "m" });
    // What stays is the call's arguments where they are a text of their own.
    expect(text.replaceAll("\\\\ud83d", "")).not.toMatch(/\\ud/);
    expect(text).toContain("Report \uFFFD");
    expect(schemes[name].encode({ items: [user("👍 \\ud83d")], tools: [], config: {} }, { model: "m" })).toContain(
      "👍 \\\\ud83d",
    );
  });
});

test("gemini: results are a content of their own", () => {
  const image: ContentPart = { type: "input_image", data: PNG, mimeType: "image/png" };
  const output: Item = {
    type: "function_call_output",
    callId: "b",
    output: [{ type: "input_text", text: "r" }, image],
  };
  const items = [user("go"), call("a"), call("b"), functionCallOutput("a", "r"), output, user("now this")];
  const { contents } = body("gemini", items);
  expect(contents.slice(2)).toEqual([
    {
      role: "user",
      parts: ["r", "r"].map((text) => ({ functionResponse: { name: "t", response: { output: text } } })),
    },
    { role: "user", parts: [{ inlineData: { mimeType: "image/png", data: PNG } }, { text: "now this" }] },
  ]);
});

test("anthropic: an error that says nothing, and one that shows an image", () => {
  const result = (output: string | ContentPart[]) =>
    last("anthropic", [user("q"), call("c"), { type: "function_call_output", callId: "c", output, isError: true }])[0];
  const head = { type: "tool_result", tool_use_id: "c" };
  expect(result("")).toEqual({ ...head, content: "The tool failed.", is_error: true });
  expect(result([])).toEqual({ ...head, content: "The tool failed.", is_error: true });
  expect(result([{ type: "input_image", data: PNG, mimeType: "image/png" }])).toEqual({
    ...head,
    content: [
      { type: "text", text: "The tool failed." },
      { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
    ],
  });
});

describe("anthropic: thinking by a budget", () => {
  const thinking = (items: readonly Item[], config: RequestConfig, model = "claude-sonnet-4-5") =>
    body("anthropic", items, config, model).thinking;
  const low = { reasoning: { effort: "low" } } as const;
  const thought: Item = { type: "reasoning", text: "Hm", reasoning: { scheme: "anthropic", signature: "s" } };
  const foreign: Item = { type: "reasoning", text: "Hm", reasoning: { scheme: "gemini", signature: "s" } };
  const result = functionCallOutput("c", "r");

  test.each<[string, Item[], boolean]>([
    ["a question", [user("q")], true],
    ["calls after a thought", [user("q"), thought, call("c"), result], true],
    ["calls without one", [user("q"), call("c"), result], false],
    ["calls after another provider's thought", [user("q"), foreign, call("c"), result], false],
    ["an answer without one, and the next question", [user("q"), assistantMessage("a"), user("p")], true],
  ])("%s", (_title, items, asked) => {
    expect(thinking(items, low)).toEqual(asked ? { type: "enabled", budget_tokens: 2048 } : undefined);
    expect(thinking(items, low, "claude-opus-4-7")).toEqual({ type: "adaptive" });
  });

  test.each<[RequestConfig, number | undefined, string[]]>([
    [{ reasoning: { effort: "low" }, maxTokens: 500 }, undefined, ["reasoning.effort"]],
    [{ reasoning: { effort: "high" }, maxTokens: 3000 }, 2999, []],
    [{ reasoning: { budgetTokens: 4000 }, maxTokens: 2000 }, 1999, ["reasoning.budgetTokens"]],
    [{ reasoning: { budgetTokens: 100 } }, 1024, ["reasoning.budgetTokens"]],
    [{ reasoning: { budgetTokens: 4000 }, toolChoice: "required" }, 4000, ["toolChoice"]],
    [{ temperature: 0.5, topP: 0.5 }, undefined, ["topP"]],
  ])("%j", (config, budget, warned) => {
    expect(thinking([user("q")], config)?.budget_tokens).toBe(budget);
    expect(schemes.anthropic.capability(config, "claude-sonnet-4-5").map(({ option }) => option)).toEqual(warned);
  });
});

describe("files and images", () => {
  const text = { data: btoa("# Hi"), mimeType: "text/markdown" };

  test("anthropic: text of any kind is text", () => {
    for (const mimeType of ["text/markdown", "text/csv", "text/plain; charset=utf-8", "application/json"]) {
      expect(last("anthropic", [says({ type: "input_file", ...text, mimeType })])).toEqual([
        { type: "document", source: { type: "text", media_type: "text/plain", data: "# Hi" } },
      ]);
    }
  });

  test.each(NAMES)("%s: a data: URL is its data", (name) => {
    const plain = last(name, [says({ type: "input_image", data: PNG, mimeType: "image/png" })]);
    expect(last(name, [says({ type: "input_image", url: `data:image/png;base64,${PNG}` })])).toEqual(plain);
  });

  test("a data: URL that is not base64", () => {
    expect(last("ollama", [says({ type: "input_file", url: "data:text/plain,Hi%20%E4%B8%96" })])).toBe("Hi 世");
  });

  test.each(NAMES)("%s: fields that are undefined count as absent", (name) => {
    const part = { type: "input_image", data: PNG, mimeType: "image/png" } as const;
    const loose = { ...part, fileId: undefined, url: undefined };
    expect(body(name, [says(loose)])).toEqual(body(name, [says(part)]));
  });

  test("OpenAI's wires demand a name", () => {
    const file = says({ type: "input_file", data: PNG, mimeType: "application/pdf" });
    expect(last("openai-chat", [file])[0].file.filename).toBe("file.pdf");
    expect(last("openai-responses", [file])[0].filename).toBe("file.pdf");
    expect(last("openai-chat", [says({ type: "input_file", ...text })])[0].file.filename).toBe("file.md");
  });

  test("ollama: a text file in a result is text", () => {
    const items: Item[] = [
      user("q"),
      call("c"),
      { type: "function_call_output", callId: "c", output: [{ type: "input_file", ...text }] },
    ];
    expect(last("ollama", items)).toBe("# Hi");
  });

  test.each<[string, SchemeName, object]>([
    ["a file by its URL", "openai-chat", { type: "input_file", url: "https://example.com/a.pdf" }],
    ["text that is not base64", "anthropic", { type: "input_file", data: "%", mimeType: "text/plain" }],
    ["data without its type", "gemini", { type: "input_image", data: PNG }],
    ["nothing", "openai-responses", { type: "input_image" }],
    ["a file that is no text", "ollama", { type: "input_file", data: PNG, mimeType: "application/pdf" }],
  ])("%s is told before it is sent", (_title, name, part) => {
    const item = JSON.parse(JSON.stringify({ type: "message", role: "user", content: [part] }));
    expect(() => body(name, [item])).toThrow(expect.objectContaining({ code: "config" }));
    expect(() => body(name, [item])).toThrow(ClientError);
  });
});

test.each(["anthropic", "gemini", "ollama"] as const)("%s: arguments too deep to be written again", (name) => {
  const deep = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const sent = (args: string) => JSON.stringify(body(name, [user("q"), call("c", args)]));
  expect(sent(deep(100_000))).not.toContain("[[[[[[");
  expect(sent(deep(500))).toContain("[".repeat(500));
  expect(sent(JSON.stringify({ a: "[".repeat(5000) }))).toContain("[".repeat(5000));
});

test("openai-chat: every thought of Mistral's goes back", () => {
  const thought = (text: string): Item => ({
    type: "reasoning",
    text,
    reasoning: { scheme: "openai-chat", extra: { field: "content" } },
  });
  const [, message] = body("openai-chat", [user("q"), thought("a"), thought("b"), call("c")]).messages;
  expect(message.content).toEqual(["a", "b"].map((text) => ({ type: "thinking", thinking: [{ type: "text", text }] })));
});

describe("the provider's own tools", () => {
  const tool = { name: "t", inputSchema: { type: "object" } };
  const both = (name: SchemeName, config: RequestConfig, tools = [tool]) =>
    JSON.parse(schemes[name].encode({ items: [user("q")], tools, config }, { model: "m" }));
  const own = { type: "web_search" };

  test.each(NAMES)("%s: extra.tools follow ours, and stand alone", (name) => {
    expect(both(name, { extra: { tools: [own] } }).tools).toEqual([...both(name, {}).tools, own]);
    expect(both(name, { extra: { tools: [own] } }, []).tools).toEqual([own]);
    expect(both(name, { extra: {} }, []).tools).toBeUndefined();
  });

  test("a choice in extra stands where the request makes none", () => {
    const tool_choice = { type: "allowed_tools" };
    expect(both("openai-chat", { extra: { tool_choice } }).tool_choice).toEqual(tool_choice);
    expect(both("openai-responses", { extra: { tool_choice }, toolChoice: "auto" }).tool_choice).toBe("auto");
    expect(both("anthropic", { extra: { tool_choice } }, []).tool_choice).toEqual(tool_choice);
    const toolConfig = { functionCallingConfig: { mode: "VALIDATED" } };
    expect(both("gemini", { extra: { toolConfig } }).toolConfig).toEqual(toolConfig);
  });
});

test.each([
  ["gemini-3-pro", "medium", "high"],
  ["gemini-3.1-pro-preview", "medium", "medium"],
  ["gemini-3.1-pro-preview", "minimal", "low"],
  ["gemini-3-flash-preview", "minimal", "minimal"],
  ["gemini-3.5-flash-lite", "minimal", "minimal"],
  ["gemini-3.8-flash", "minimal", "low"],
  ["gemini-3.8-flash", "low", "low"],
] as const)("%s asked for %s thinks on the level %s", (model, effort, level) => {
  const { generationConfig } = body("gemini", [user("q")], { reasoning: { effort } }, model);
  expect(generationConfig.thinkingConfig).toEqual({ thinkingLevel: level, includeThoughts: true });
  expect(schemes.gemini.capability({ reasoning: { effort } }, model)).toHaveLength(effort === level ? 0 : 1);
});

test("openai: what reasoning models refuse", () => {
  const warned = (config: RequestConfig, model: string) =>
    schemes["openai-chat"].capability(config, model).map(({ option }) => option);
  expect(warned({ stopSequences: ["a"] }, "o4-mini")).toEqual(["stopSequences"]);
  expect(warned({ stopSequences: ["a"] }, "gpt-4o")).toEqual([]);
  expect(warned({ reasoning: { effort: "minimal" } }, "gpt-5.2")).toEqual(["reasoning.effort"]);
  expect(warned({ reasoning: { effort: "minimal" } }, "gpt-5")).toEqual([]);
});

test("gemini: names without a generation mean the newest, which wants signatures", () => {
  const { contents } = body("gemini", [user("q"), call("c")], {}, "gemini-flash-latest");
  expect(contents[1].parts[0].thoughtSignature).toBe("skip_thought_signature_validator");
});
