/** A session's state with its journal: what is committed is written first, then done. */
import type { Item } from "@tsukumo/client";
import { WorkerError } from "./errors.js";
import { frozen, requireMessages } from "./history.js";
import type { Journal, JournalEntry } from "./journal.js";
import type { SessionState } from "./session-state.js";

type Change = Exclude<JournalEntry, { type: "session" }>;

export class Session {
  readonly state: SessionState;
  readonly #journal: Journal | undefined;
  readonly #onAppend: (items: readonly Item[]) => void;
  /** Writes of synchronous calls (setSystemPrompt, lock); the next run waits for them. */
  #writes: Promise<void> | undefined;
  #begun = false;
  #savedState: string;

  /** @param onAppend told of the items that joined the history, after they did */
  constructor(state: SessionState, journal: Journal | undefined, onAppend: (items: readonly Item[]) => void) {
    this.state = state;
    this.#onAppend = onAppend;
    this.#savedState = journal === undefined ? "" : JSON.stringify(state.sharedState.toJSON());
    this.#journal = journal;
  }

  /**
   * Writes the change, then applies it. Gives nothing (and takes no turn of the event loop) where nothing is awaited.
   * @throws {WorkerError} `JournalFailed`, or `InvalidHistory` before anything is written; the change did not happen
   */
  commit(wanted: Change): Promise<void> | undefined {
    const change = withOwnItems(wanted);
    // A journal that holds what cannot be applied could never be replayed.
    if (change.type === "queue") requireMessages(change.items);
    if (change.type === "items" || change.type === "turn") this.state.history.check(change.items);
    const written = this.#write(change);
    if (written === undefined) {
      this.#apply(change);
      return undefined;
    }
    return written.then(() => this.#apply(change));
  }

  #apply(change: Change): void {
    this.state.apply(change);
    if ((change.type === "items" || change.type === "turn") && change.items.length > 0) this.#onAppend(change.items);
  }

  /** Tools change the shared state without telling; a journal gets it when it is not what it was. */
  async saveSharedState(): Promise<void> {
    if (this.#journal === undefined) return;
    const values = this.state.sharedState.toJSON();
    const text = JSON.stringify(values);
    if (text === this.#savedState) return;
    this.#savedState = text;
    await this.commit({ type: "shared_state", values });
  }

  /** Applies at once and writes; for calls that are synchronous. `settled()` tells whether the writing worked. */
  commitNow(change: Change): void {
    // Applied first, because it may throw; no run is under way that could act on it before it is written.
    this.state.apply(change);
    const written = this.#write(change);
    if (written === undefined) return;
    const earlier = this.#writes;
    this.#writes = earlier === undefined ? written : earlier.then(() => written);
    this.#writes.catch(() => undefined);
  }

  /** @throws {WorkerError} `JournalFailed` for a write of `commitNow` */
  async settled(): Promise<void> {
    const writes = this.#writes;
    this.#writes = undefined;
    await writes;
  }

  /** The first entry is the session as it is. After a failure too: what was not written is then in it. */
  #write(change: Change): Promise<void> | undefined {
    const journal = this.#journal;
    if (journal === undefined) return undefined;
    try {
      const begun = this.#begun ? undefined : journal.append({ type: "session", snapshot: this.state.snapshot() });
      this.#begun = true;
      const written = journal.append(change);
      if (begun === undefined && written === undefined) return undefined;
      return Promise.all([begun, written]).then(
        () => undefined,
        (cause: unknown) => this.#fail(cause),
      );
    } catch (cause) {
      return this.#fail(cause);
    }
  }

  #fail(cause: unknown): never {
    this.#begun = false;
    throw new WorkerError(
      "JournalFailed",
      "The journal could not write, so the run stopped before acting. Repair it, then resume from what it holds.",
      { cause },
    );
  }
}

/** Copied before anything is written, so that the journal and the history hold the same. */
function withOwnItems(change: Change): Change {
  switch (change.type) {
    case "queue":
    case "items":
    case "turn":
      return change.items.length === 0 ? change : { ...change, items: change.items.map(frozen) };
    default:
      return change;
  }
}
