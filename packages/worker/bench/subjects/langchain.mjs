import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { z } from "zod";

class MockChatModel extends BaseChatModel {
  constructor(next) {
    super({});
    this.next = next;
  }

  _llmType() {
    return "mock";
  }

  bindTools() {
    return this;
  }

  async _generate() {
    const message = this.next();
    return { generations: [{ text: message.text, message }] };
  }

  async *_streamResponseChunks() {
    const message = this.next();
    yield new ChatGenerationChunk({ text: message.text, message });
  }
}

export async function run(turns, onRequest) {
  let n = 0;
  const model = new MockChatModel(() => {
    onRequest(n);
    n += 1;
    const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    if (n > turns) return new AIMessageChunk({ content: "done", usage_metadata });
    return new AIMessageChunk({
      content: "",
      tool_calls: [{ id: `call_${n}`, name: "noop", args: { n }, type: "tool_call" }],
      usage_metadata,
    });
  });
  const noop = tool(async () => "ok", { name: "noop", description: "noop", schema: z.object({ n: z.number() }) });
  const agent = createAgent({ model, tools: [noop] });
  const result = await agent.invoke(
    { messages: [{ role: "user", content: "go" }] },
    { recursionLimit: turns * 3 + 10 },
  );
  if (n !== turns + 1 || result.messages.at(-1).content !== "done") throw new Error(`unexpected: ${n} turns`);
}
