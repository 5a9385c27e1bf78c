/**
 * The turns of a history as JSON text. The turns that a conversation begins with, and that can no longer change, are
 * encoded and joined once: a request costs what is new in it. Kept by the identity of the items, and only as long as
 * they live.
 */
import type { FunctionCallItem, Item } from "../item.js";
import type { JsonObject } from "../json.js";
import { elementsText, isDeepFrozen } from "./kept-text.js";
import { type Turn, toTurn, turnEnd } from "./turns.js";

/** Calls by their id, for wires on which a result names its function. */
export interface Calls {
  get(callId: string): FunctionCallItem | undefined;
}

/** What there is to know of calls; see `answers`, which wires without need of it leave out. */
export interface Answers {
  callsFrom(items: readonly Item[], from: number): ReadonlyMap<string, FunctionCallItem>;
  /** Adds a turn's calls to those before it. False, and nothing done, where a result answers a call that comes later. */
  add(known: Map<string, FunctionCallItem | undefined>, turn: readonly Item[], calls: Calls): boolean;
}

/** The turns that a conversation begins with. */
interface Beginning {
  readonly items: Item[];
  /** Every call of them; `undefined` for one that a result answers and that is not there. */
  readonly calls: Map<string, FunctionCallItem | undefined>;
  text: string;
}

export class TurnText {
  /** By the first item of the first turn. */
  readonly #beginnings = new WeakMap<Item, Beginning>();
  readonly #encode: (turn: Turn, calls: Calls) => readonly JsonObject[];
  readonly #answers: Answers | undefined;

  /**
   * @param encode must depend on the turn alone
   * @param answers ... and on the calls that its results answer; without it, there are no calls
   */
  constructor(encode: (turn: Turn, calls: Calls) => readonly JsonObject[], answers?: Answers) {
    this.#encode = encode;
    this.#answers = answers;
  }

  /** The elements of all turns from an item on, joined. */
  of(items: readonly Item[], from: number): string {
    const first = items[from];
    if (first === undefined) return "";
    let beginning = this.#beginnings.get(first);
    let later = this.#answers?.callsFrom(items, from + (beginning?.items.length ?? 0)) ?? NO_CALLS;
    if (beginning === undefined || !stands(beginning, items, from, later)) {
      beginning = { items: [], calls: new Map(), text: "" };
      this.#beginnings.set(first, beginning);
      later = this.#answers?.callsFrom(items, from) ?? NO_CALLS;
    }
    return this.#continued(beginning, items, from, later);
  }

  #continued(beginning: Beginning, items: readonly Item[], from: number, later: Calls): string {
    const calls: Calls = { get: (callId) => later.get(callId) ?? beginning.calls.get(callId) };
    let { text } = beginning;
    let grows = true;
    for (let start = from + beginning.items.length; start < items.length; ) {
      const end = turnEnd(items, start);
      const turn = items.slice(start, end);
      const more = elementsText(this.#encode(toTurn(turn), calls));
      text += text === "" || more === "" ? more : `,${more}`;
      // The last turn may still get longer.
      grows &&= end < items.length && turn.every(isDeepFrozen);
      grows &&= this.#answers?.add(beginning.calls, turn, calls) ?? true;
      if (grows) {
        beginning.text = text;
        for (const item of turn) beginning.items.push(item);
      }
      start = end;
    }
    return text;
  }
}

const NO_CALLS: ReadonlyMap<string, FunctionCallItem> = new Map();

/** Whether the history still begins so: with these items, a turn that ends with them, and no other call of the same id. */
function stands(
  { items: known, calls }: Beginning,
  items: readonly Item[],
  from: number,
  later: ReadonlyMap<string, FunctionCallItem>,
): boolean {
  const end = from + known.length;
  return (
    known.every((item, at) => items[from + at] === item) &&
    (end === from || turnEnd(items, end - 1) === end) &&
    ![...later.keys()].some((callId) => calls.has(callId))
  );
}
