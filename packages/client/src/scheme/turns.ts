/** History to turns: providers want what one side said in a row as one message. */
import type { FunctionCallItem, FunctionCallOutputItem, Item, MessageItem, ReasoningItem } from "../item.js";

export type AssistantItem = ReasoningItem | FunctionCallItem | MessageItem;
export type UserItem = FunctionCallOutputItem | MessageItem;

export type Turn =
  | { readonly role: "assistant"; readonly items: readonly AssistantItem[] }
  /** User messages, system messages after the start, and tool results. */
  | { readonly role: "user"; readonly items: readonly UserItem[] };

/** The system messages before anything else. */
export function leadingSystem(items: readonly Item[]): readonly MessageItem[] {
  const system: MessageItem[] = [];
  for (const item of items) {
    if (item.type !== "message" || item.role !== "system") break;
    system.push(item);
  }
  return system;
}

/** Where the turn that begins at `start` ends: the index after its last item. */
export function turnEnd(items: readonly Item[], start: number): number {
  let end = start;
  let side: Turn["role"] | undefined;
  for (let item = items[end]; item !== undefined; item = items[++end]) {
    side ??= sideOf(item);
    if (sideOf(item) !== side) break;
  }
  return end;
}

/** The items of one turn, which are of one side. */
export function toTurn(items: readonly Item[]): Turn {
  const [first] = items;
  return first !== undefined && sideOf(first) === "assistant"
    ? { role: "assistant", items: items.filter((item) => item.type !== "function_call_output") }
    : { role: "user", items: items.filter((item) => item.type === "message" || item.type === "function_call_output") };
}

function sideOf(item: Item): Turn["role"] {
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
