/** The calls that are running, so that a server can stop without losing an answer. */

/** The call ended before its tool did. */
export class CallAborted extends Error {
  readonly code = "CallAborted";

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : "the client cancelled it";
    super(`The call was given up: ${reason}. It may or may not have taken effect.`, { cause });
    this.name = "CallAborted";
  }
}

/** One call: the signal that its tool gets, and the end that an abort gives it before the tool does. */
class Run {
  /** Made when a tool asks for its signal: most never do, and a short call would spend its time on it. */
  #abort: AbortController | undefined;
  #givenUp: { readonly reason: unknown } | undefined;
  readonly #outer: AbortSignal;
  #reject: (error: CallAborted) => void = () => {};

  constructor(outer: AbortSignal) {
    this.#outer = outer;
    // Neither AbortSignal.any nor closures: a short call would spend its time on them.
    outer.addEventListener("abort", this);
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#givenUp !== undefined) this.#abort.abort(this.#givenUp.reason);
    return this.#abort.signal;
  }

  handleEvent(): void {
    this.giveUp(this.#outer.reason);
  }

  giveUp(reason: unknown): void {
    this.#reject(new CallAborted(reason));
    this.#givenUp ??= { reason };
    this.#abort?.abort(reason);
  }

  /** What the work gives, or CallAborted as soon as the run is given up. */
  outcome<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, reject);
    });
  }

  end(): void {
    this.#outer.removeEventListener("abort", this);
  }
}

export class Runs {
  readonly #running = new Set<Run>();
  readonly #whenIdle: (() => void)[] = [];
  #held = 0;
  #stopped: Error | undefined;

  /** How many calls run. */
  get size(): number {
    return this.#running.size;
  }

  /**
   * Runs work under the signal and the server's own. A tool that does not listen holds nobody up.
   * @throws {CallAborted} as soon as either says so
   */
  async run<T>(signal: AbortSignal, work: (signal: () => AbortSignal) => Promise<T>): Promise<T> {
    if (signal.aborted) throw new CallAborted(signal.reason);
    if (this.#stopped !== undefined) throw new CallAborted(this.#stopped);
    const run = new Run(signal);
    this.#running.add(run);
    try {
      return await run.outcome(work(() => run.signal));
    } finally {
      this.#running.delete(run);
      run.end();
      this.#tellIdle();
    }
  }

  /** Counts work that still belongs to a call whose tool has ended, so that `stop` waits for it too. */
  async hold<T>(work: Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      return await work;
    } finally {
      this.#held -= 1;
      this.#tellIdle();
    }
  }

  /**
   * Waits until nothing runs, at most `graceMs`, then gives up what still runs. New calls are refused from then on.
   * When it ends, every answer has been handed to its transport.
   */
  async stop(graceMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([this.#idle(), over]);
    clearTimeout(timer);
    this.#stopped = new Error("the server is stopping");
    for (const run of [...this.#running]) run.giveUp(this.#stopped);
    do {
      await this.#idle();
      // Between a tool's end and its transport are promises only: one turn of the loop settles them.
      await new Promise((resolve) => setTimeout(resolve, 0));
    } while (!this.#isIdle);
  }

  get #isIdle(): boolean {
    return this.#running.size === 0 && this.#held === 0;
  }

  #idle(): Promise<void> {
    return this.#isIdle ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #tellIdle(): void {
    if (this.#isIdle) for (const tell of this.#whenIdle.splice(0)) tell();
  }
}
