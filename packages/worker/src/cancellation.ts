/** One run's cancellation: the caller's signal and `cancel()` in one, and awaits that end when it comes. */
import { WorkerError } from "./errors.js";

export class Cancellation {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  /** Rejections of the awaits that are under way; one listener serves them all. */
  readonly #waiting = new Set<(error: WorkerError) => void>();
  readonly #follow = (): void => this.cancel(this.#outer?.reason);

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    if (outer === undefined) return;
    if (outer.aborted) this.cancel(outer.reason);
    else outer.addEventListener("abort", this.#follow, { once: true });
  }

  /** For clients and tools. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get cancelled(): boolean {
    return this.#controller.signal.aborted;
  }

  cancel(reason?: unknown): void {
    if (this.cancelled) return;
    this.#controller.abort(reason);
    const error = this.error();
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
  }

  error(): WorkerError {
    const cause: unknown = this.signal.reason;
    const reason = typeof cause === "string" ? cause : undefined;
    return new WorkerError("Cancelled", reason === undefined ? "The run was cancelled." : `Cancelled: ${reason}`, {
      cause,
      ...(reason === undefined ? {} : { reason }),
    });
  }

  throwIfCancelled(): void {
    if (this.cancelled) throw this.error();
  }

  /** Settles as the promise does, or rejects at once with `Cancelled`; what the promise does later is then ignored. */
  guard<T>(promise: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.cancelled) {
        promise.then(undefined, () => undefined);
        reject(this.error());
        return;
      }
      this.#waiting.add(reject);
      promise.then(
        (value) => {
          this.#waiting.delete(reject);
          resolve(value);
        },
        (error: unknown) => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  /** Lets go of the caller's signal. */
  dispose(): void {
    this.#outer?.removeEventListener("abort", this.#follow);
  }
}
