/** A scripted turn as the events that any scheme would make of it. */
import type { Block, BlockDelta, Event, StopReason } from "@tsukumo/client";
import { argumentsText, DEFAULT_USAGE, pieces, type ScriptedTurn } from "./turn.js";

export interface ScriptedEventTurn extends Omit<ScriptedTurn, "stopReason"> {
  readonly stopReason?: StopReason;
}

/** One batch an event, as a slow provider would deliver them. */
export function eventTurn(turn: ScriptedEventTurn): readonly (readonly Event[])[] {
  const events: Event[] = [{ type: "status", status: "started" }];
  const blocks: [Block, BlockDelta["type"], string][] = [];
  if (turn.thinking !== undefined) blocks.push([{ type: "thinking" }, "thinking", turn.thinking]);
  if (turn.text !== undefined) blocks.push([{ type: "text" }, "text", turn.text]);
  for (const call of turn.toolCalls ?? []) {
    blocks.push([{ type: "tool_use", id: call.id, name: call.name }, "input_json", argumentsText(call)]);
  }
  const stopReason = turn.stopReason ?? ((turn.toolCalls ?? []).length > 0 ? "tool_use" : "end_turn");
  for (const [index, [block, type, text]] of blocks.entries()) {
    events.push({ type: "block_start", index, block });
    for (const piece of pieces(text, turn.deltaSize))
      events.push({ type: "block_delta", index, delta: { type, text: piece } });
    events.push({ type: "block_stop", index, ...(index === blocks.length - 1 ? { stopReason } : {}) });
  }
  const usage = turn.usage ?? DEFAULT_USAGE;
  const totalTokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  events.push({ type: "usage", usage: { ...usage, totalTokens } }, { type: "status", status: "completed" });
  return events.map((event) => [event]);
}
