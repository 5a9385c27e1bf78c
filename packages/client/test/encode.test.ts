/** The bodies of requests, checked against each provider's reference. */
import { describe, expect, test } from "vitest";
import { type Item, type Request, type RequestConfig, type SchemeName, schemes } from "../src/index.js";
import { items, PNG, request, schema } from "./support/request.js";

const NAMES: readonly SchemeName[] = ["anthropic", "openai-chat", "openai-responses", "gemini", "ollama"];

function body(name: SchemeName, from: Request, model = "m", options: object = {}) {
  return JSON.parse(schemes[name].encode(from, { model, ...options }));
}

function config(name: SchemeName, settings: RequestConfig, tools = request.tools, model = "m") {
  return body(name, { items: [], tools, config: settings }, model);
}

function history(name: SchemeName, from: readonly Item[], model = "m") {
  const { messages, input, contents } = body(name, { items: from, tools: [], config: {} }, model);
  return messages ?? input ?? contents;
}

test("anthropic", () => {
  const cache_control = { type: "ephemeral", ttl: "1h" };
  expect(body("anthropic", request, "claude", { eagerToolInput: true })).toEqual({
    model: "claude",
    max_tokens: 100,
    stream: true,
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    stop_sequences: ["END"],
    output_config: { format: { type: "json_schema", schema } },
    cache_control,
    metadata: { user_id: "u" },
    system: [
      { type: "text", text: "Be kind." },
      { type: "text", text: "Answer briefly.", cache_control },
    ],
    tools: [
      {
        name: "weather",
        description: "Tells the weather",
        input_schema: schema,
        strict: true,
        eager_input_streaming: true,
      },
      { name: "now", input_schema: { type: "object" }, eager_input_streaming: true, cache_control },
    ],
    tool_choice: { type: "tool", name: "weather", disable_parallel_tool_use: true },
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Weather?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "Hi" }, title: "a.txt" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me look." },
          { type: "tool_use", id: "call_1", name: "weather", input: { city: "Paris" } },
          { type: "tool_use", id: "call_2", name: "weather", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1", content: "18 C" },
          { type: "tool_result", tool_use_id: "call_2", content: "city is missing", is_error: true },
          { type: "text", text: "<system>\nUse Celsius.\n</system>" },
          { type: "text", text: "Thanks" },
        ],
      },
    ],
  });
});

test("openai-chat", () => {
  expect(body("openai-chat", request, "gpt")).toEqual({
    model: "gpt",
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    stop: ["END"],
    response_format: { type: "json_schema", json_schema: { name: "answer", schema, strict: true } },
    prompt_cache_key: "k1",
    metadata: { user_id: "u" },
    tools: [
      {
        type: "function",
        function: { name: "weather", description: "Tells the weather", parameters: schema, strict: true },
      },
      { type: "function", function: { name: "now", parameters: { type: "object" } } },
    ],
    tool_choice: { type: "function", function: { name: "weather" } },
    parallel_tool_calls: false,
    messages: [
      { role: "system", content: "Be kind." },
      { role: "system", content: "Answer briefly." },
      {
        role: "user",
        content: [
          { type: "text", text: "Weather?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: "file", file: { filename: "a.txt", file_data: "data:text/plain;base64,SGk=" } },
        ],
      },
      {
        role: "assistant",
        content: "Let me look.",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
          { id: "call_2", type: "function", function: { name: "weather", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "18 C" },
      { role: "tool", tool_call_id: "call_2", content: "city is missing" },
      { role: "system", content: "Use Celsius." },
      { role: "user", content: "Thanks" },
    ],
  });
});

test("openai-responses", () => {
  expect(body("openai-responses", request, "gpt-4.1")).toEqual({
    model: "gpt-4.1",
    stream: true,
    store: false,
    max_output_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    text: { format: { type: "json_schema", name: "answer", schema, strict: true } },
    prompt_cache_key: "k1",
    metadata: { user_id: "u" },
    instructions: "Be kind.",
    tools: [
      { type: "function", name: "weather", description: "Tells the weather", parameters: schema, strict: true },
      { type: "function", name: "now", parameters: { type: "object" }, strict: false },
    ],
    tool_choice: { type: "function", name: "weather" },
    parallel_tool_calls: false,
    input: [
      { type: "message", role: "system", content: [{ type: "input_text", text: "Answer briefly." }] },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "Weather?" },
          { type: "input_image", image_url: `data:image/png;base64,${PNG}` },
          { type: "input_file", filename: "a.txt", file_data: "data:text/plain;base64,SGk=" },
        ],
      },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me look.", annotations: [] }] },
      { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Paris"}' },
      { type: "function_call", call_id: "call_2", name: "weather", arguments: "{}" },
      { type: "function_call_output", call_id: "call_1", output: "18 C" },
      { type: "function_call_output", call_id: "call_2", output: "city is missing" },
      { type: "message", role: "system", content: [{ type: "input_text", text: "Use Celsius." }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Thanks" }] },
    ],
  });
});

test("gemini", () => {
  expect(body("gemini", request, "gemini-2.5-flash")).toEqual({
    metadata: { user_id: "u" },
    systemInstruction: { parts: [{ text: "Be kind." }, { text: "Answer briefly." }] },
    tools: [
      {
        functionDeclarations: [
          { name: "weather", description: "Tells the weather", parametersJsonSchema: schema },
          { name: "now", parametersJsonSchema: { type: "object" } },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["weather"] } },
    generationConfig: {
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      stopSequences: ["END"],
      responseMimeType: "application/json",
      responseJsonSchema: schema,
    },
    contents: [
      {
        role: "user",
        parts: [
          { text: "Weather?" },
          { inlineData: { mimeType: "image/png", data: PNG } },
          { inlineData: { mimeType: "text/plain", data: "SGk=" } },
        ],
      },
      {
        role: "model",
        parts: [
          { text: "Let me look." },
          { functionCall: { name: "weather", args: { city: "Paris" } } },
          { functionCall: { name: "weather", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "weather", response: { output: "18 C" } } },
          { functionResponse: { name: "weather", response: { error: "city is missing" } } },
        ],
      },
      { role: "user", parts: [{ text: "<system>\nUse Celsius.\n</system>" }, { text: "Thanks" }] },
    ],
  });
});

test("ollama", () => {
  expect(body("ollama", request, "qwen3")).toEqual({
    model: "qwen3",
    stream: true,
    format: schema,
    options: { num_predict: 100, temperature: 0.5, top_p: 0.9, top_k: 40, stop: ["END"] },
    metadata: { user_id: "u" },
    tools: [
      { type: "function", function: { name: "weather", description: "Tells the weather", parameters: schema } },
      { type: "function", function: { name: "now", parameters: { type: "object" } } },
    ],
    messages: [
      { role: "system", content: "Be kind." },
      { role: "system", content: "Answer briefly." },
      { role: "user", content: "Weather?Hi", images: [PNG] },
      {
        role: "assistant",
        content: "Let me look.",
        tool_calls: [
          { function: { name: "weather", arguments: { city: "Paris" } } },
          { function: { name: "weather", arguments: {} } },
        ],
      },
      { role: "tool", content: "18 C", tool_name: "weather" },
      { role: "tool", content: "city is missing", tool_name: "weather" },
      { role: "system", content: "Use Celsius." },
      { role: "user", content: "Thanks" },
    ],
  });
});

describe("every scheme", () => {
  test.each(NAMES)("%s: equal requests give equal bytes, and a longer history only appends", (name) => {
    const encode = (from: readonly Item[]) => schemes[name].encode({ ...request, items: from }, { model: "m" });
    expect(encode(items)).toBe(encode(structuredClone([...items])));
    const turn: Item[] = [
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "You are welcome." }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Bye" }] },
    ];
    const shorter = encode(items);
    const closing = shorter.length - (shorter.match(/[\]}]*$/)?.[0].length ?? 0);
    expect(encode([...items, ...turn]).startsWith(shorter.slice(0, closing))).toBe(true);
  });

  test.each(NAMES)("%s: an empty request is a body without undefined parts", (name) => {
    const text = schemes[name].encode({ items: [], tools: [], config: {} }, { model: "m" });
    expect(text).not.toContain("null");
    expect(JSON.parse(text)).toEqual(expect.any(Object));
  });

  test.each(NAMES)("%s: arguments that are no object are sent as an empty one", (name) => {
    for (const args of ["", "{", "[1]", '"x"', "null", "12"]) {
      const text = JSON.stringify(history(name, [{ type: "function_call", callId: "c", name: "f", arguments: args }]));
      expect(text).toMatch(/"(input|args|arguments)":("\{\}"|\{\})/);
    }
  });

  test.each(NAMES)("%s: reasoning of another scheme stays out", (name) => {
    const other = name === "anthropic" ? "gemini" : "anthropic";
    const text = JSON.stringify(
      history(name, [
        { type: "reasoning", text: "SECRET", reasoning: { scheme: other, signature: "SIG", encrypted: "ENC" } },
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "x", reasoning: { scheme: other, signature: "SIG" } }],
        },
      ]),
    );
    expect(text).not.toMatch(/SECRET|SIG|ENC/);
    expect(text).toContain('"x"');
  });

  test.each(NAMES)("%s: media by URL, by id, and in tool results", (name) => {
    const result: Item[] = [
      { type: "function_call", callId: "c", name: "f", arguments: "{}" },
      {
        type: "function_call_output",
        callId: "c",
        output: [
          { type: "input_text", text: "see" },
          { type: "input_image", data: PNG, mimeType: "image/png" },
        ],
      },
    ];
    expect(JSON.stringify(history(name, result))).toContain(PNG);
    const linked: Item[] = [
      { type: "message", role: "user", content: [{ type: "input_image", url: "https://x.test/a.png" }] },
    ];
    if (name === "ollama") expect(() => history(name, linked)).toThrow(expect.objectContaining({ code: "config" }));
    else expect(JSON.stringify(history(name, linked))).toContain("https://x.test/a.png");
    const stored: Item[] = [{ type: "message", role: "user", content: [{ type: "input_file", fileId: "file-1" }] }];
    if (name === "ollama") expect(() => history(name, stored)).toThrow(expect.objectContaining({ code: "config" }));
    else expect(JSON.stringify(history(name, stored))).toContain("file-1");
  });
});

describe("settings", () => {
  test.each([
    ["auto", { type: "auto" }, "auto", "auto", { mode: "AUTO" }],
    ["none", { type: "none" }, "none", "none", { mode: "NONE" }],
    ["required", { type: "any" }, "required", "required", { mode: "ANY" }],
  ] as const)("tool choice %s", (toolChoice, anthropic, chat, responses, gemini) => {
    expect(config("anthropic", { toolChoice }).tool_choice).toEqual(anthropic);
    expect(config("openai-chat", { toolChoice }).tool_choice).toEqual(chat);
    expect(config("openai-responses", { toolChoice }).tool_choice).toEqual(responses);
    expect(config("gemini", { toolChoice }).toolConfig).toEqual({ functionCallingConfig: gemini });
    expect(config("anthropic", { toolChoice }, []).tool_choice).toBeUndefined();
  });

  test("tool choice on wires that have none, or another", () => {
    // The tools stand at the beginning of the prompt: leaving them out would lose what is cached.
    expect(config("ollama", { toolChoice: "none" }).tools).toHaveLength(2);
    expect(config("anthropic", { parallelToolCalls: false }).tool_choice).toEqual({
      type: "auto",
      disable_parallel_tool_use: true,
    });
  });

  test("reasoning effort", () => {
    const high = { reasoning: { effort: "high" } } as const;
    expect(config("anthropic", high)).toMatchObject({
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
    });
    expect(config("openai-chat", high)).toMatchObject({ reasoning_effort: "high" });
    expect(config("openai-responses", high)).toMatchObject({
      reasoning: { effort: "high", summary: "auto" },
      include: ["reasoning.encrypted_content"],
    });
    expect(config("gemini", high, [], "gemini-3-pro").generationConfig.thinkingConfig).toEqual({
      thinkingLevel: "high",
      includeThoughts: true,
    });
    expect(config("gemini", high, [], "gemini-2.5-pro").generationConfig.thinkingConfig).toEqual({
      thinkingBudget: 24_576,
      includeThoughts: true,
    });
    expect(config("ollama", high).think).toBe(true);
    expect(config("ollama", high, [], "gpt-oss:20b").think).toBe("high");
  });

  test("no reasoning, and a budget", () => {
    const none = { reasoning: { effort: "none" } } as const;
    const budget = { reasoning: { budgetTokens: 2000 } } as const;
    expect(config("anthropic", none).thinking).toEqual({ type: "disabled" });
    expect(config("anthropic", budget)).toMatchObject({
      thinking: { type: "enabled", budget_tokens: 2000 },
      max_tokens: 6096,
    });
    expect(config("openai-responses", none).include).toBeUndefined();
    expect(config("gemini", none, [], "gemini-2.5-flash").generationConfig.thinkingConfig).toEqual({
      thinkingBudget: 0,
    });
    expect(config("gemini", none, [], "gemini-3-flash").generationConfig.thinkingConfig).toEqual({
      thinkingLevel: "minimal",
    });
    expect(config("gemini", budget).generationConfig.thinkingConfig).toEqual({
      thinkingBudget: 2000,
      includeThoughts: true,
    });
    expect(config("ollama", none).think).toBe(false);
  });

  test("Claude models of different ages", () => {
    const old = { temperature: 0.5, reasoning: { effort: "low" } } as const;
    expect(config("anthropic", old, [], "claude-sonnet-4-20250514")).toMatchObject({
      temperature: 0.5,
      max_tokens: 6144,
      thinking: { type: "enabled", budget_tokens: 2048 },
    });
    expect(config("anthropic", { ...old, maxTokens: 1500 }, [], "claude-3-7-sonnet-20250219").thinking).toEqual({
      type: "enabled",
      budget_tokens: 1499,
    });
    const current = config("anthropic", old, [], "claude-opus-4-7");
    expect(current).toMatchObject({
      max_tokens: 4096,
      thinking: { type: "adaptive" },
      output_config: { effort: "low" },
    });
    expect(current.temperature).toBeUndefined();
    expect(config("anthropic", { reasoning: { budgetTokens: 2000 } }, [], "claude-opus-5").thinking).toEqual({
      type: "adaptive",
    });
    const settings = { topP: 0.5, reasoning: { budgetTokens: 2000 } } as const;
    expect(schemes.anthropic.capability(settings, "claude-opus-4-7").map(({ option }) => option)).toEqual([
      "topP",
      "reasoning.budgetTokens",
    ]);
    expect(schemes.anthropic.capability(settings, "claude-haiku-4-5")).toEqual([]);
  });

  test("OpenAI's models that reason, and those that do not", () => {
    const warned = (settings: RequestConfig, model: string) =>
      schemes["openai-chat"].capability(settings, model).map(({ option }) => option);
    expect(warned({ temperature: 0.5, topP: 0.9 }, "gpt-5-nano")).toEqual(["temperature", "topP"]);
    expect(warned({ temperature: 0.5, reasoning: { effort: "none" } }, "gpt-5.1")).toEqual([]);
    expect(warned({ temperature: 0.5 }, "openai/gpt-5-chat-latest")).toEqual([]);
    expect(warned({ temperature: 0.5, reasoning: { effort: "low" } }, "gpt-4o")).toEqual(["reasoning.effort"]);
    expect(warned({ temperature: 0.5, reasoning: { effort: "low" } }, "deepseek-chat")).toEqual([]);
    expect(config("openai-responses", {}, [], "o4-mini").include).toEqual(["reasoning.encrypted_content"]);
    expect(config("openai-responses", {}, [], "gpt-5-chat-latest").include).toBeUndefined();
  });

  test("the limit's old name, and what the caller adds", () => {
    expect(
      body("openai-chat", { items: [], tools: [], config: { maxTokens: 9 } }, "m", { legacyMaxTokens: true }),
    ).toMatchObject({ max_tokens: 9 });
    expect(config("gemini", { maxTokens: 9, extra: { generationConfig: { seed: 1 } } }).generationConfig).toEqual({
      maxOutputTokens: 9,
      seed: 1,
    });
    expect(config("ollama", { maxTokens: 9, extra: { options: { seed: 1 }, keep_alive: 5 } })).toMatchObject({
      options: { num_predict: 9, seed: 1 },
      keep_alive: 5,
    });
  });

  test.each<[SchemeName, RequestConfig, string[]]>([
    [
      "anthropic",
      { cache: { key: "k" }, temperature: 0.3, topK: 1, reasoning: { effort: "minimal" } },
      ["cache.key", "temperature", "topK", "reasoning.effort"],
    ],
    [
      "openai-chat",
      { topK: 1, reasoning: { budgetTokens: 1 }, stopSequences: ["a", "b", "c", "d", "e"], cache: { ttl: "1h" } },
      ["topK", "reasoning.budgetTokens", "stopSequences", "cache.ttl"],
    ],
    [
      "openai-responses",
      { topK: 1, stopSequences: ["a"], reasoning: { budgetTokens: 1 }, cache: { ttl: "5m" } },
      ["topK", "stopSequences", "reasoning.budgetTokens", "cache.ttl"],
    ],
    [
      "gemini",
      { parallelToolCalls: false, cache: { key: "k" }, responseFormat: { name: "n", schema: {}, strict: true } },
      ["parallelToolCalls", "cache", "responseFormat.strict"],
    ],
    [
      "ollama",
      { toolChoice: "required", parallelToolCalls: true, reasoning: { budgetTokens: 1 }, cache: {} },
      ["toolChoice", "parallelToolCalls", "reasoning.budgetTokens", "cache"],
    ],
  ])("%s warns of what it cannot carry", (name, settings, options) => {
    expect(schemes[name].capability(settings).map((warning) => warning.option)).toEqual(options);
    expect(schemes[name].capability({ maxTokens: 1 })).toEqual([]);
  });
});

describe("what a provider wants back", () => {
  const call = (): Item => ({ type: "function_call", callId: "c", name: "f", arguments: "{}" });

  test("DeepSeek: reasoning_content with calls, and not without", () => {
    const thought: Item = {
      type: "reasoning",
      text: "hm",
      reasoning: { scheme: "openai-chat", extra: { field: "reasoning_content" } },
    };
    expect(history("openai-chat", [thought, call()])[0]).toMatchObject({
      reasoning_content: "hm",
      tool_calls: [{ id: "c" }],
    });
    const answer: Item = { type: "message", role: "assistant", content: [{ type: "output_text", text: "x" }] };
    expect(history("openai-chat", [thought, answer])).toEqual([{ role: "assistant", content: "x" }]);
  });

  test("Gemini 3: a signature on the first call of a step, also where another model wrote it", () => {
    const [content] = history("gemini", [call(), call()], "gemini-3-pro");
    expect(content.parts.map((part: { thoughtSignature?: string }) => part.thoughtSignature)).toEqual([
      "skip_thought_signature_validator",
      undefined,
    ]);
    expect(JSON.stringify(history("gemini", [call()], "gemini-2.5-pro"))).not.toContain("thoughtSignature");
  });

  test("Responses: reasoning that nobody stored stays out unless it is complete", () => {
    const bare: Item = {
      type: "reasoning",
      text: "hm",
      reasoning: { scheme: "openai-responses", id: "r1", summary: ["hm"] },
    };
    expect(history("openai-responses", [bare])).toEqual([]);
    const whole: Item = {
      ...bare,
      reasoning: { scheme: "openai-responses", id: "r1", summary: ["hm"], encrypted: "e" },
    };
    expect(history("openai-responses", [whole])).toEqual([
      { type: "reasoning", id: "r1", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "e" },
    ]);
  });

  test("Responses: the result of a custom tool", () => {
    const custom: Item = {
      type: "function_call",
      callId: "c",
      name: "f",
      arguments: '{"input":"x"}',
      reasoning: { scheme: "openai-responses", extra: { custom: true } },
    };
    expect(history("openai-responses", [custom, { type: "function_call_output", callId: "c", output: "y" }])).toEqual([
      { type: "custom_tool_call", call_id: "c", name: "f", input: "x" },
      { type: "custom_tool_call_output", call_id: "c", output: "y" },
    ]);
  });
});
