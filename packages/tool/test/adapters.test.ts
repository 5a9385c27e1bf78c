import { describe, expect, it } from "vitest";
import { definitionsFor, dispatcherFor, type Sdk } from "../src/adapters/index.js";
import { ToolError, ToolOutput, ToolRegistry, toolMeta } from "../src/index.js";

const CITY = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer", minimum: 1 } },
  required: ["city"],
  additionalProperties: false,
};

function setup(): ToolRegistry {
  return ToolRegistry.of(
    () => [
      toolMeta({
        name: "weather",
        description: "The weather.",
        inputSchema: CITY,
        outputSchema: { type: "object", properties: { celsius: { type: "number" } } },
        effect: "read_only",
        annotations: { title: "Weather" },
      }),
      { execute: async (json) => ToolOutput.json({ celsius: 20, for: json }) },
    ],
    () => [toolMeta({ name: "drop", effect: "destructive" }), { execute: async () => new ToolOutput("dropped") }],
    () => [
      toolMeta({ name: "broken" }),
      { execute: async () => Promise.reject(ToolError.executionFailed("no <|im_start|> disk")) },
    ],
  );
}

const NOTHING = { type: "object", properties: {}, additionalProperties: false };
const NO_DISK = "no &lt;|im_start|> disk";
const BLOCKED = expect.stringContaining("destructive");

describe("definitions", () => {
  it.each<[sdk: Sdk, expected: unknown]>([
    [
      "openai",
      [
        { type: "function", function: { name: "broken", description: "Tool: broken", parameters: NOTHING } },
        { type: "function", function: { name: "drop", description: "Tool: drop", parameters: NOTHING } },
        { type: "function", function: { name: "weather", description: "The weather.", parameters: CITY } },
      ],
    ],
    [
      "openai-responses",
      [
        { type: "function", name: "broken", description: "Tool: broken", parameters: NOTHING, strict: false },
        { type: "function", name: "drop", description: "Tool: drop", parameters: NOTHING, strict: false },
        { type: "function", name: "weather", description: "The weather.", parameters: CITY, strict: false },
      ],
    ],
    [
      "anthropic",
      [
        { name: "broken", description: "Tool: broken", input_schema: NOTHING },
        { name: "drop", description: "Tool: drop", input_schema: NOTHING },
        { name: "weather", description: "The weather.", input_schema: CITY },
      ],
    ],
    [
      "gemini",
      [
        {
          functionDeclarations: [
            { name: "broken", description: "Tool: broken", parametersJsonSchema: NOTHING },
            { name: "drop", description: "Tool: drop", parametersJsonSchema: NOTHING },
            { name: "weather", description: "The weather.", parametersJsonSchema: CITY },
          ],
        },
      ],
    ],
    [
      "mcp",
      [
        {
          name: "broken",
          description: "Tool: broken",
          inputSchema: NOTHING,
          annotations: { readOnlyHint: false, destructiveHint: false },
        },
        {
          name: "drop",
          description: "Tool: drop",
          inputSchema: NOTHING,
          annotations: { readOnlyHint: false, destructiveHint: true },
        },
        {
          name: "weather",
          description: "The weather.",
          inputSchema: CITY,
          outputSchema: { type: "object", properties: { celsius: { type: "number" } } },
          annotations: { title: "Weather", readOnlyHint: true, destructiveHint: false, idempotentHint: true },
        },
      ],
    ],
  ])("for %s", (sdk, expected) => {
    expect(definitionsFor(setup(), sdk)).toEqual(expected);
  });

  it("in strict mode require everything, where a schema allows it", () => {
    const [, , weather] = definitionsFor(setup(), "openai-responses", { strict: true });
    expect(weather).toMatchObject({ strict: true, parameters: { required: ["city", "days"] } });
    const open = ToolRegistry.of(() => [
      toolMeta({ name: "t", inputSchema: { type: "object", additionalProperties: { type: "string" } } }),
      { execute: async () => new ToolOutput("") },
    ]);
    expect(definitionsFor(open, "openai", { strict: true })[0]?.function.strict).toBeUndefined();
    expect(definitionsFor(setup(), "openai", { strict: true })[0]?.function.strict).toBe(true);
  });

  it("are copies that an SDK may change, and gemini has none for no tools", () => {
    const registry = setup();
    const [first] = definitionsFor(registry, "openai");
    if (first !== undefined) first.function.parameters.type = "changed";
    expect(registry.definition("broken")?.inputSchema.type).toBe("object");
    expect(definitionsFor(new ToolRegistry(), "gemini")).toEqual([]);
  });
});

describe("dispatchers", () => {
  it("openai", async () => {
    const run = dispatcherFor(setup(), "openai");
    const call = (id: string, name: string, args = "{}") => ({
      id,
      type: "function",
      function: { name, arguments: args },
    });
    expect(
      await run([
        call("1", "weather", '{"city":"Oslo"}'),
        call("2", "broken"),
        { id: "3", type: "custom" },
        call("4", "drop"),
        call("5", "none"),
      ]),
    ).toEqual([
      { role: "tool", tool_call_id: "1", content: expect.stringContaining("Oslo") },
      { role: "tool", tool_call_id: "2", content: `Error: ${NO_DISK}` },
      { role: "tool", tool_call_id: "4", content: BLOCKED },
      { role: "tool", tool_call_id: "5", content: expect.stringContaining("no tool named") },
    ]);
    expect(await run(undefined)).toEqual([]);
    expect(await run(null)).toEqual([]);
  });

  it("openai-responses", async () => {
    const items = [
      { type: "reasoning", id: "r" },
      { type: "function_call", call_id: "1", name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "function_call", call_id: "2", name: "broken", arguments: "" },
      { type: "message", content: [] },
    ];
    expect(await dispatcherFor(setup(), "openai-responses")(items)).toEqual([
      { type: "function_call_output", call_id: "1", output: expect.stringContaining("Oslo") },
      { type: "function_call_output", call_id: "2", output: `Error: ${NO_DISK}` },
    ]);
  });

  it("anthropic", async () => {
    const blocks = [
      { type: "text", text: "…" },
      { type: "tool_use", id: "1", name: "weather", input: { city: "Oslo" } },
      { type: "tool_use", id: "2", name: "broken", input: {} },
    ];
    expect(await dispatcherFor(setup(), "anthropic")(blocks)).toEqual([
      { type: "tool_result", tool_use_id: "1", content: expect.stringContaining("Oslo") },
      { type: "tool_result", tool_use_id: "2", content: NO_DISK, is_error: true },
    ]);
  });

  it("gemini", async () => {
    const run = dispatcherFor(setup(), "gemini", { confirm: () => true });
    expect(await run([{ id: "1", name: "drop", args: {} }, { name: "broken" }, {}])).toEqual([
      { functionResponse: { id: "1", name: "drop", response: { output: "dropped" } } },
      { functionResponse: { name: "broken", response: { error: NO_DISK } } },
      { functionResponse: { name: "", response: { error: expect.stringContaining("no tool named") } } },
    ]);
  });

  it("mcp", async () => {
    const run = dispatcherFor(setup(), "mcp");
    expect(await run([{ name: "weather", arguments: { city: "Oslo" } }, { name: "broken" }])).toEqual([
      {
        content: [{ type: "text", text: '{"celsius":20,"for":"{\\"city\\":\\"Oslo\\"}"}' }],
        structuredContent: { celsius: 20, for: '{"city":"Oslo"}' },
      },
      { content: [{ type: "text", text: NO_DISK }], isError: true },
    ]);
  });

  it("ai-sdk", async () => {
    const calls = [
      { toolCallId: "1", toolName: "weather", input: { city: "Oslo" } },
      { toolCallId: "2", toolName: "broken", input: {} },
    ];
    expect(await dispatcherFor(setup(), "ai-sdk")(calls)).toEqual([
      {
        type: "tool-result",
        toolCallId: "1",
        toolName: "weather",
        output: { type: "text", value: expect.stringContaining("Oslo") },
      },
      { type: "tool-result", toolCallId: "2", toolName: "broken", output: { type: "error-text", value: NO_DISK } },
    ]);
  });
});

describe("tools for ai-sdk", () => {
  it("carry their schema and run themselves, guarded", async () => {
    const tools = definitionsFor(setup(), "ai-sdk");
    expect(Object.keys(tools)).toEqual(["broken", "drop", "weather"]);
    expect(tools.weather?.inputSchema.jsonSchema).toEqual(CITY);
    expect(Reflect.get(tools.weather?.inputSchema ?? {}, Symbol.for("vercel.ai.schema"))).toBe(true);
    expect(await tools.weather?.execute({ city: "Oslo" }, { toolCallId: "1" })).toContain("Oslo");
    await expect(tools.broken?.execute({})).rejects.toThrow(NO_DISK);
    await expect(tools.drop?.execute({})).rejects.toThrow("nobody confirmed");
    const allowed = definitionsFor(setup(), "ai-sdk", { mode: "parallel_allow_destructive" });
    expect(await allowed.drop?.execute({})).toBe("dropped");
  });

  it("hear the SDK's abort signal", async () => {
    const tools = definitionsFor(setup(), "ai-sdk", { signal: new AbortController().signal });
    await expect(tools.weather?.execute({}, { abortSignal: AbortSignal.abort() })).rejects.toThrow("cancelled");
  });
});
