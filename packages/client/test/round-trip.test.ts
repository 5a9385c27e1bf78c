/** What a provider sent is in the next request: decode a recording, append its items, encode. */
import { describe, expect, test } from "vitest";
import { type Item, type ReasoningData, schemes } from "../src/index.js";
import { hasCorpus, recordings } from "./support/corpus.js";
import { decode } from "./support/decode.js";
import { itemsOf } from "./support/items.js";

const FOLDERS = ["anthropic", "openai-chat", "openai-compatible", "openai-responses", "gemini", "ollama"];

describe.skipIf(!hasCorpus).each(FOLDERS)("the answers of %s", (folder) => {
  test.each(recordings(folder))("$file", ({ scheme, bytes }) => {
    const answer = itemsOf(decode(scheme, bytes));
    const calls = answer.filter((item) => item.type === "function_call");
    const history: Item[] = [
      { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
      ...answer,
      ...calls.map((call): Item => ({ type: "function_call_output", callId: call.callId, output: "done" })),
    ];
    const body = schemes[scheme].encode({ items: history, tools: [], config: {} }, { model: "m" });
    const sent = strings(JSON.parse(body));
    for (const item of answer)
      for (const piece of wanted(scheme, item)) expect(sent, `${item.type} of ${scheme}`).toContain(piece);
  });
});

/** The strings of an item that must be in the next request. */
function wanted(scheme: string, item: Item): string[] {
  switch (item.type) {
    case "message":
      return item.content.flatMap((part) => {
        const data = part.type === "output_text" ? opaque(part.reasoning) : [];
        const text = part.type === "output_text" ? part.text : part.type === "refusal" ? part.refusal : "";
        // Chat messages and Ollama's join the parts of a message.
        return scheme === "openai-chat" || scheme === "ollama" || text.trim() === "" ? data : [text, ...data];
      });
    case "function_call":
      return [item.name, ...opaque(item.reasoning)];
    case "reasoning":
      return opaque(item.reasoning);
    case "function_call_output":
      return [];
  }
}

function opaque(data: ReasoningData | undefined): string[] {
  return [
    data?.signature,
    data?.encrypted,
    ...strings(data?.extra?.block),
    ...strings(data?.extra?.item),
    ...strings(data?.extra?.part),
  ].filter((text) => text !== undefined);
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}
