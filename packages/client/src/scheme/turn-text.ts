/**
 * The turns of a history as JSON text. A turn whose items can no longer change is encoded once: a request costs what is
 * new in it. Kept by the identity of the items, and only as long as they live.
 */
import type { FunctionCallItem, Item } from "../item.js";
import type { JsonObject } from "../json.js";
import { elementsText, isDeepFrozen } from "./kept-text.js";
import { type Turn, toTurn, turnEnd } from "./turns.js";

/** Calls by their id, for wires on which a result names its function. */
export type Calls = ReadonlyMap<string, FunctionCallItem>;

interface KeptTurn {
  readonly items: readonly Item[];
  /** The calls that the results of the turn answer. */
  readonly calls: readonly (FunctionCallItem | undefined)[];
  readonly text: string;
}

export class TurnText {
  /** By the last item of the turn. */
  readonly #turns = new WeakMap<Item, KeptTurn>();
  readonly #encode: (turn: Turn, calls: Calls) => readonly JsonObject[];

  /** @param encode must depend on the turn, and on the calls that its results answer, alone */
  constructor(encode: (turn: Turn, calls: Calls) => readonly JsonObject[]) {
    this.#encode = encode;
  }

  /** The elements of all turns from an item on, joined. */
  of(items: readonly Item[], from: number, calls: Calls = NO_CALLS): string {
    let text = "";
    for (let start = from; start < items.length; ) {
      const end = turnEnd(items, start);
      const turn = this.#turn(items, start, end, calls);
      if (turn !== "") text += text === "" ? turn : `,${turn}`;
      start = end;
    }
    return text;
  }

  #turn(items: readonly Item[], start: number, end: number, calls: Calls): string {
    const last = items[end - 1];
    const kept = last === undefined ? undefined : this.#turns.get(last);
    if (kept !== undefined && isSame(kept, items, start, end, calls)) return kept.text;

    const own = items.slice(start, end);
    const text = elementsText(this.#encode(toTurn(own), calls));
    const answered = answeredCalls(own, calls);
    if (last !== undefined && own.every(isDeepFrozen) && answered.every(isDeepFrozen))
      this.#turns.set(last, { items: own, calls: answered, text });
    return text;
  }
}

const NO_CALLS: Calls = new Map();

export function callsById(items: readonly Item[]): Calls {
  const calls = new Map<string, FunctionCallItem>();
  for (const item of items) if (item.type === "function_call") calls.set(item.callId, item);
  return calls;
}

function answeredCalls(items: readonly Item[], calls: Calls): (FunctionCallItem | undefined)[] {
  if (calls.size === 0) return [];
  return items.flatMap((item) => (item.type === "function_call_output" ? [calls.get(item.callId)] : []));
}

function isSame(kept: KeptTurn, items: readonly Item[], start: number, end: number, calls: Calls): boolean {
  if (kept.items.length !== end - start) return false;
  let answered = 0;
  for (let at = start; at < end; at++) {
    const item = items[at];
    if (item !== kept.items[at - start]) return false;
    if (item?.type === "function_call_output" && calls.get(item.callId) !== kept.calls[answered++]) return false;
  }
  return true;
}
