/** The subscribers of a worker, told one after the other; their block callbacks hang on the timeline. */
import { attachBlocks } from "./block-callbacks.js";
import { messageOf } from "./errors.js";
import type { EventCallbacks, SubscriberEvents, WorkerSubscriber, WorkerWarning } from "./subscriber.js";
import { onRejection } from "./timeline/rejection.js";
import { Timeline } from "./timeline/timeline.js";

export class Subscribers {
  readonly timeline = new Timeline(({ kind, error }) =>
    this.warn({ code: "handler_failed", message: `A ${kind} handler failed: ${messageOf(error)}`, cause: error }),
  );
  readonly #plain: EventCallbacks[] = [];
  readonly #onWarning: ((warning: WorkerWarning) => void) | undefined;

  constructor(onWarning: ((warning: WorkerWarning) => void) | undefined) {
    this.#onWarning = onWarning;
  }

  /** Gives a function that takes the subscriber away again. */
  add<S>(subscriber: WorkerSubscriber<S>): () => void {
    const removals = attachBlocks(this.timeline, subscriber, (name, cause) => this.#failed(name, cause));
    this.#plain.push(subscriber);
    let removed = false;
    return () => {
      // Once: the same subscriber may have been added again.
      for (const remove of removals.splice(0)) remove();
      if (removed) return;
      removed = true;
      const at = this.#plain.indexOf(subscriber);
      if (at >= 0) this.#plain.splice(at, 1);
    };
  }

  tell<N extends keyof SubscriberEvents>(name: N, ...args: SubscriberEvents[N]): void {
    for (const subscriber of [...this.#plain]) {
      const report = (cause: unknown): void => {
        // A failing onWarning has nobody left to be told to.
        if (name !== "onWarning") this.#failed(name, cause);
      };
      try {
        const callback: EventCallbacks[N] = subscriber[name];
        onRejection(callback?.apply(subscriber, args), report);
      } catch (cause) {
        report(cause);
      }
    }
  }

  /** Told to `onWarning` of the worker and of every subscriber; to the console where nobody listens. */
  warn(warning: WorkerWarning): void {
    const listened = this.#onWarning !== undefined || this.#plain.some((subscriber) => subscriber.onWarning);
    if (!listened) console.warn(`tsukumo: ${warning.message}`);
    try {
      onRejection(this.#onWarning?.(warning), () => undefined);
    } catch {
      // The one who is told of failures failed; the run is worth more than the notice.
    }
    this.tell("onWarning", warning);
  }

  #failed(name: string, cause: unknown): void {
    this.warn({ code: "subscriber_failed", message: `${name} failed: ${messageOf(cause)}`, cause });
  }
}
