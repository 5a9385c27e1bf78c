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

export class Runs {
  readonly #running = new Set<Promise<unknown>>();
  readonly #giveUps = new Set<(reason: unknown) => void>();
  #stopped: Error | undefined;

  get size(): number {
    return this.#running.size;
  }

  /**
   * Runs work under the signal and the server's own. A tool that does not listen holds nobody up.
   * @throws {CallAborted} as soon as either says so
   */
  async run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal.aborted) throw new CallAborted(signal.reason);
    if (this.#stopped !== undefined) throw new CallAborted(this.#stopped);
    // Not AbortSignal.any, which costs more than the rest of a short call.
    const both = new AbortController();
    let refuse: (error: CallAborted) => void = () => {};
    const giveUp = (reason: unknown): void => {
      refuse(new CallAborted(reason));
      both.abort(reason);
    };
    const cancelled = (): void => giveUp(signal.reason);
    signal.addEventListener("abort", cancelled, { once: true });
    this.#giveUps.add(giveUp);
    const aborted = new Promise<never>((_, reject) => {
      refuse = reject;
    });
    const running = Promise.race([work(both.signal), aborted]);
    const settled = running.catch(() => undefined);
    this.#running.add(settled);
    try {
      return await running;
    } finally {
      this.#running.delete(settled);
      this.#giveUps.delete(giveUp);
      signal.removeEventListener("abort", cancelled);
    }
  }

  /** Waits until nothing runs, at most `graceMs`, then gives up what still runs. New calls are refused from then on. */
  async stop(graceMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([this.#idle(), over]);
    clearTimeout(timer);
    this.#stopped = new Error("the server is stopping");
    for (const giveUp of [...this.#giveUps]) giveUp(this.#stopped);
    await this.#idle();
  }

  async #idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
