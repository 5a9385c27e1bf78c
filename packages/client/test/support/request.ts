/** One request with everything that a history can hold. */
import type { Item, Request } from "../../src/index.js";

export const PNG = "iVBORw0KGgo=";

export const items: readonly Item[] = [
  { type: "message", role: "system", content: [{ type: "input_text", text: "Answer briefly." }] },
  {
    type: "message",
    role: "user",
    content: [
      { type: "input_text", text: "Weather?" },
      { type: "input_image", data: PNG, mimeType: "image/png" },
      { type: "input_file", filename: "a.txt", data: "SGk=", mimeType: "text/plain" },
    ],
  },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me look." }] },
  { type: "function_call", callId: "call_1", name: "weather", arguments: '{"city":"Paris"}' },
  { type: "function_call", callId: "call_2", name: "weather", arguments: "" },
  { type: "function_call_output", callId: "call_1", output: "18 C" },
  { type: "function_call_output", callId: "call_2", output: "city is missing", isError: true },
  { type: "message", role: "system", content: [{ type: "input_text", text: "Use Celsius." }] },
  { type: "message", role: "user", content: [{ type: "input_text", text: "Thanks" }] },
];

export const schema = { type: "object", properties: { city: { type: "string" } } } as const;

export const request: Request = {
  systemPrompt: "Be kind.",
  items,
  tools: [
    { name: "weather", description: "Tells the weather", inputSchema: schema, strict: true },
    { name: "now", inputSchema: { type: "object" } },
  ],
  config: {
    maxTokens: 100,
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    stopSequences: ["END"],
    toolChoice: { name: "weather" },
    parallelToolCalls: false,
    responseFormat: { name: "answer", schema, strict: true },
    cache: { ttl: "1h", key: "k1" },
    extra: { metadata: { user_id: "u" } },
  },
};
