/** A registry's tools through the SDKs of the providers: defined, called, answered, over real HTTP. */

import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI, type Part } from "@google/genai";
import { stepCountIs, streamText } from "ai";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SchemeName } from "../packages/client/src/index.js";
import { ReplayServer, turnBuilders } from "../packages/testing/src/index.js";
import { definitionsFor, dispatcherFor } from "../packages/tool/src/adapters/index.js";
import { ToolOutput, ToolRegistry, toolMeta } from "../packages/tool/src/index.js";

const QUESTION = "How warm is it in Oslo?";
const ANSWER = "It is 7 degrees in Oslo.";
const SCHEMA = {
  type: "object",
  properties: { city: { type: "string", description: "The city's name." } },
  required: ["city"],
  additionalProperties: false,
};

let asked: unknown[] = [];
let server: ReplayServer | undefined;
const registry = ToolRegistry.of(() => [
  toolMeta({ name: "weather", description: "The weather of a city.", inputSchema: SCHEMA, effect: "read_only" }),
  {
    execute: async (json) => {
      asked.push(JSON.parse(json));
      return new ToolOutput("7 degrees");
    },
  },
]);

beforeEach(() => {
  asked = [];
});

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** One call of the tool, then the answer. */
async function start(scheme: SchemeName): Promise<ReplayServer> {
  const turn = turnBuilders[scheme];
  server = await ReplayServer.start({
    scheme,
    turns: [turn({ toolCalls: [{ id: "call_1", name: "weather", args: { city: "Oslo" } }] }), turn({ text: ANSWER })],
  });
  return server;
}

/** The tool was declared, called once, and its result went back. */
function expectTwoRounds({ requests, errors }: ReplayServer): void {
  expect(errors).toEqual([]);
  expect(requests).toHaveLength(2);
  expect(asked).toEqual([{ city: "Oslo" }]);
  expect(requests[0]?.body).toContain("The weather of a city.");
  expect(requests[0]?.body).toContain("The city's name.");
  expect(requests[0]?.body).not.toContain("7 degrees");
  expect(requests[1]?.body).toContain("7 degrees");
}

describe("the registry's tools through", () => {
  it("openai, chat completions", async () => {
    const replay = await start("openai-chat");
    const client = new OpenAI({ apiKey: "k", baseURL: `${replay.url}/v1`, maxRetries: 0 });
    const tools = definitionsFor(registry, "openai", { strict: true });
    const dispatch = dispatcherFor(registry, "openai");
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: QUESTION }];

    const first = await client.chat.completions.stream({ model: "m", messages, tools }).finalMessage();
    const results = await dispatch(first.tool_calls);
    expect(results).toEqual([{ role: "tool", tool_call_id: "call_1", content: "7 degrees" }]);
    messages.push(first, ...results);
    const last = await client.chat.completions.stream({ model: "m", messages, tools }).finalMessage();

    expect(last.content).toBe(ANSWER);
    expectTwoRounds(replay);
    expect(replay.requests[0]?.json.tools).toMatchObject([{ function: { strict: true, name: "weather" } }]);
  });

  it("openai, responses", async () => {
    const replay = await start("openai-responses");
    const client = new OpenAI({ apiKey: "k", baseURL: `${replay.url}/v1`, maxRetries: 0 });
    const tools = definitionsFor(registry, "openai-responses");
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: QUESTION }];

    const first = await client.responses.stream({ model: "m", input, tools }).finalResponse();
    const results = await dispatcherFor(registry, "openai-responses")(first.output);
    expect(results).toEqual([{ type: "function_call_output", call_id: "call_1", output: "7 degrees" }]);
    const calls = first.output.filter((item) => item.type === "function_call");
    input.push(...calls, ...results);
    const last = await client.responses.stream({ model: "m", input, tools }).finalResponse();

    expect(last.output_text).toBe(ANSWER);
    expectTwoRounds(replay);
  });

  it("@anthropic-ai/sdk", async () => {
    const replay = await start("anthropic");
    const client = new Anthropic({ apiKey: "k", baseURL: replay.url, maxRetries: 0 });
    const tools = definitionsFor(registry, "anthropic");
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: QUESTION }];
    const base = { model: "m", max_tokens: 100, tools };

    const first = await client.messages.stream({ ...base, messages }).finalMessage();
    const results = await dispatcherFor(registry, "anthropic")(first.content);
    expect(results).toMatchObject([{ type: "tool_result", tool_use_id: "call_1", content: "7 degrees" }]);
    messages.push({ role: "assistant", content: first.content }, { role: "user", content: results });
    const last = await client.messages.stream({ ...base, messages }).finalMessage();

    expect(last.content).toMatchObject([{ type: "text", text: ANSWER }]);
    expectTwoRounds(replay);
  });

  it("@google/genai", async () => {
    const replay = await start("gemini");
    const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: replay.url } });
    const config = { tools: definitionsFor(registry, "gemini") };
    const ask = async (contents: { role: string; parts: Part[] }[]) => {
      const parts: Part[] = [];
      for await (const chunk of await client.models.generateContentStream({ model: "m", contents, config }))
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      return parts;
    };
    const question = { role: "user", parts: [{ text: QUESTION }] };

    const first = await ask([question]);
    const calls = first.flatMap(({ functionCall }) => functionCall ?? []);
    const results = await dispatcherFor(registry, "gemini")(calls);
    expect(results).toMatchObject([{ functionResponse: { name: "weather", response: { output: "7 degrees" } } }]);
    const last = await ask([question, { role: "model", parts: first }, { role: "user", parts: results }]);

    expect(last.map(({ text }) => text ?? "").join("")).toBe(ANSWER);
    expectTwoRounds(replay);
  });

  it("the AI SDK", async () => {
    const replay = await start("openai-chat");
    const result = streamText({
      model: createOpenAI({ apiKey: "k", baseURL: `${replay.url}/v1` }).chat("m"),
      prompt: QUESTION,
      tools: definitionsFor(registry, "ai-sdk"),
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });

    expect(await result.text).toBe(ANSWER);
    expectTwoRounds(replay);
  });
});
