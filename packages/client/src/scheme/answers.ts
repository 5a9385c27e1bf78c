/** Which call a result answers, for wires on which a result names its function. */
import type { FunctionCallItem, Item } from "../item.js";
import type { Answers } from "./turn-text.js";

export const answers: Answers = {
  callsFrom(items, from) {
    const calls = new Map<string, FunctionCallItem>();
    for (let at = from; at < items.length; at++) {
      const item: Item | undefined = items[at];
      if (item?.type === "function_call") calls.set(item.callId, item);
    }
    return calls;
  },

  add(known, turn, calls) {
    const answered = turn.filter((item) => item.type === "function_call_output").map((item) => item.callId);
    if (answered.some((callId) => calls.get(callId) !== known.get(callId))) return false;
    // Also those that are not there: one that comes later changes what the result says.
    for (const callId of answered) known.set(callId, known.get(callId));
    for (const item of turn) if (item.type === "function_call") known.set(item.callId, item);
    return true;
  },
};
