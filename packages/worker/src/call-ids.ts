/** Providers that number their calls, or name them after the tool, repeat ids; a history needs each once. */
import type { Event } from "@tsukumo/client";
import type { CallLedger } from "./call-ledger.js";

export class CallIds {
  readonly #ledger: CallLedger;
  readonly #used = new Set<string>();

  constructor(ledger: CallLedger) {
    this.#ledger = ledger;
  }

  /** The event with an id that no other call of the session has; mostly the same event. */
  unique(event: Event): Event {
    if (event.type !== "block_start" || event.block.type !== "tool_use") return event;
    const id = this.#free(event.block.id);
    this.#used.add(id);
    return id === event.block.id ? event : { ...event, block: { ...event.block, id } };
  }

  #free(id: string): string {
    const stem = id === "" ? "call" : id;
    let candidate = stem;
    while (this.#ledger.knows(candidate) || this.#used.has(candidate)) {
      candidate = `${stem}_${this.#ledger.nextNumber(stem)}`;
    }
    return candidate;
  }
}
