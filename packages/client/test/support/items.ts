/** Events to items, as a history keeps them. */
import type { Block, ContentPart, Event, Item, ReasoningData } from "../../src/index.js";

interface Kept {
  readonly block: Block;
  text: string;
  reasoning?: ReasoningData;
}

export function itemsOf(events: readonly Event[]): Item[] {
  const blocks: Kept[] = [];
  for (const event of events) {
    if (event.type === "block_start") blocks[event.index] = { block: event.block, text: "" };
    const kept = "index" in event ? blocks[event.index] : undefined;
    if (kept === undefined) continue;
    if (event.type === "block_delta") kept.text += event.delta.text;
    if (event.type === "block_stop" && event.reasoning !== undefined) kept.reasoning = event.reasoning;
  }
  const items: Item[] = [];
  for (const { block, text, reasoning } of blocks) {
    const extra = reasoning === undefined ? {} : { reasoning };
    if (block.type === "tool_use") {
      items.push({ type: "function_call", callId: block.id, name: block.name, arguments: text, ...extra });
    } else if (block.type === "text" || block.type === "refusal") {
      const part: ContentPart =
        block.type === "text" ? { type: "output_text", text, ...extra } : { type: "refusal", refusal: text };
      const last = items.at(-1);
      if (last?.type === "message") items[items.length - 1] = { ...last, content: [...last.content, part] };
      else items.push({ type: "message", role: "assistant", content: [part] });
    } else {
      items.push({ type: "reasoning", text: block.type === "thinking" ? text : "", ...extra });
    }
  }
  return items;
}
