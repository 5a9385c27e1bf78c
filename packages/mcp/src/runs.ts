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
  readonly #stop = new AbortController();

  get size(): number {
    return this.#running.size;
  }

  /**
   * Runs work under the signal and the server's own. A tool that does not listen holds nobody up.
   * @throws {CallAborted} as soon as either says so
   */
  async run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const both = AbortSignal.any([signal, this.#stop.signal]);
    if (both.aborted) throw new CallAborted(both.reason);
    let giveUp: () => void = () => {};
    const aborted = new Promise<never>((_, refuse) => {
      giveUp = () => refuse(new CallAborted(both.reason));
      both.addEventListener("abort", giveUp, { once: true });
    });
    const running = Promise.race([work(both), aborted]);
    const settled = running.catch(() => undefined);
    this.#running.add(settled);
    try {
      return await running;
    } finally {
      this.#running.delete(settled);
      both.removeEventListener("abort", giveUp);
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
    this.#stop.abort(new Error("the server is stopping"));
    await this.#idle();
  }

  async #idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
