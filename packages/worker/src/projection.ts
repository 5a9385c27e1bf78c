/** The history as requests show it: outputs that a policy pruned are replaced by a note. The history is not touched. */
import type { FunctionCallOutputItem, Item } from "@tsukumo/client";
import type { SessionState } from "./session-state.js";

/** What a policy decides on. */
export interface PruneView {
  /** As the next request would show them. */
  readonly items: readonly Item[];
  /** Items before this index are protected by a lock. */
  readonly from: number;
  /** The input tokens that the provider measured, and how many items that request showed. */
  readonly measured: { readonly inputTokens: number; readonly items: number } | undefined;
}

/** Gives the ids of calls whose outputs are left out from now on; an output once left out never comes back. */
export type PrunePolicy = (view: PruneView) => readonly string[];

const PRUNED = "[This output was removed to save space. Call the tool again if you need it.]";

export class Projection {
  readonly #policy: PrunePolicy | undefined;
  #measured: { readonly inputTokens: number; readonly items: number } | undefined;
  /** How much of the history a locked worker has sent; 0 while it is not locked. */
  #sent = 0;
  #source: readonly Item[] | undefined;
  #pruned: ReadonlySet<string> | undefined;
  #items: Item[] = [];

  constructor(policy: PrunePolicy | undefined, sent: number) {
    this.#policy = policy;
    this.#sent = sent;
  }

  /** The items for the next request. Costs what is new since the last one, unless something was pruned. */
  items(state: SessionState): readonly Item[] {
    const { items } = state.history;
    if (state.pruned.size === 0) return items;
    if (this.#source !== items || this.#pruned !== state.pruned) {
      this.#source = items;
      this.#pruned = state.pruned;
      this.#items = [];
    }
    for (let at = this.#items.length; at < items.length; at++) {
      const item = items[at];
      if (item !== undefined) this.#items.push(this.#shown(item, state.pruned));
    }
    return this.#items;
  }

  /** What the policy wants to leave out now, without what a lock protects. */
  newlyPruned(state: SessionState): readonly string[] {
    if (this.#policy === undefined) return [];
    const from = state.lock === undefined ? 0 : Math.max(state.lock.prefixLength, this.#sent);
    const items = this.items(state);
    const wanted = new Set(this.#policy({ items, from, measured: this.#measured }));
    if (wanted.size === 0) return [];
    return items
      .slice(from)
      .flatMap((item) => (item.type === "function_call_output" && wanted.has(item.callId) ? [item.callId] : []))
      .filter((callId) => !state.pruned.has(callId));
  }

  sent(state: SessionState): void {
    this.#sent = state.lock === undefined ? 0 : state.history.length;
  }

  measure(inputTokens: number | undefined, items: number): void {
    this.#measured = inputTokens === undefined ? undefined : { inputTokens, items };
  }

  #notes = new WeakMap<Item, FunctionCallOutputItem>();

  /** One note object an output, so that a client's cache of encoded items hits. */
  #shown(item: Item, pruned: ReadonlySet<string>): Item {
    if (item.type !== "function_call_output" || !pruned.has(item.callId)) return item;
    let note = this.#notes.get(item);
    if (note === undefined) {
      note = Object.freeze({ ...item, output: PRUNED });
      this.#notes.set(item, note);
    }
    return note;
  }
}
