/** The time that one call of a tool may take. */
import { WorkerError } from "./errors.js";

/** The platform runs a timer that is set for longer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A tool's time: its signal aborts when the time is up or the run is cancelled. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #run: AbortSignal;
  readonly #timeoutMs: number;
  readonly #follow = (): void => this.#controller.abort(this.#run.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: AbortSignal, timeoutMs: number) {
    this.#run = run;
    this.#timeoutMs = timeoutMs;
    if (run.aborted) this.#follow();
    else run.addEventListener("abort", this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      work.then(resolve, reject);
      this.#timer = setTimeout(
        () => {
          const error = new WorkerError(
            "Cancelled",
            `The tool was given up after ${this.#timeoutMs} ms. Whether it took effect is unknown.`,
          );
          this.#controller.abort(error);
          reject(error);
        },
        Math.min(this.#timeoutMs, LONGEST_TIMER_MS),
      );
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#run.removeEventListener("abort", this.#follow);
  }
}
