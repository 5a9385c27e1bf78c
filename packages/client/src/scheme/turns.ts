/** History to turns: providers want what one side said in a row as one message. */
import type { FunctionCallItem, FunctionCallOutputItem, Item, MessageItem, ReasoningItem } from "../item.js";

export type AssistantItem = ReasoningItem | FunctionCallItem | MessageItem;
export type UserItem = FunctionCallOutputItem | MessageItem;

export type Turn =
  | { readonly role: "assistant"; readonly items: readonly AssistantItem[] }
  /** User messages, system messages after the start, and tool results. */
  | { readonly role: "user"; readonly items: readonly UserItem[] };

export interface SplitHistory {
  /** The system messages before anything else. */
  readonly system: readonly MessageItem[];
  readonly turns: readonly Turn[];
}

export function splitHistory(items: readonly Item[]): SplitHistory {
  const system: MessageItem[] = [];
  const turns: { role: "assistant" | "user"; items: Item[] }[] = [];
  for (const item of items) {
    if (turns.length === 0 && item.type === "message" && item.role === "system") {
      system.push(item);
      continue;
    }
    const role = sideOf(item);
    const last = turns.at(-1);
    if (last?.role === role) last.items.push(item);
    else turns.push({ role, items: [item] });
  }
  return { system, turns: turns.map(toTurn) };
}

function sideOf(item: Item): "assistant" | "user" {
  switch (item.type) {
    case "message":
      return item.role === "assistant" ? "assistant" : "user";
    case "function_call":
    case "reasoning":
      return "assistant";
    case "function_call_output":
      return "user";
  }
}

function toTurn(turn: { role: "assistant" | "user"; items: readonly Item[] }): Turn {
  return turn.role === "assistant"
    ? { role: "assistant", items: turn.items.filter((item) => item.type !== "function_call_output") }
    : {
        role: "user",
        items: turn.items.filter((item) => item.type === "message" || item.type === "function_call_output"),
      };
}
