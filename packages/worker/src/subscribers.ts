/** The subscribers of a worker: block callbacks hang on the timeline, the others are told one after the other. */
import type { JsonValue } from "@tsukumo/tool";
import { messageOf } from "./errors.js";
import { PartialJson } from "./partial-json.js";
import type { EventCallbacks, ScopedBlock, SubscriberEvents, WorkerSubscriber, WorkerWarning } from "./subscriber.js";
import {
  type BlockKind,
  type BlockPart,
  RefusalBlock,
  TextBlock,
  ThinkingBlock,
  ToolUseBlock,
} from "./timeline/kind.js";
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
    const removals = this.#attachBlocks(subscriber);
    this.#plain.push(subscriber);
    return () => {
      for (const remove of removals) remove();
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

  #attachBlocks<S>(subscriber: WorkerSubscriber<S>): (() => void)[] {
    const removals: (() => void)[] = [];
    const attach = <B extends ScopedBlock>(
      kind: BlockKind<B>,
      onPart: ((scope: S, part: BlockPart<B>) => void) | undefined,
      onComplete: ((text: string, block: B) => void) | undefined,
      onPartial?: (scope: S, block: B, value: JsonValue, delta: string) => void,
    ): void => {
      if (onPart === undefined && onComplete === undefined && onPartial === undefined) return;
      const late = (cause: unknown): void => this.#failed(`A ${kind.name} callback`, cause);
      removals.push(
        this.timeline.onBlock(kind, {
          scope: (block, index) => ({
            user: subscriber.newScope?.(block, index),
            text: "",
            json: onPartial && new PartialJson(),
          }),
          onEvent: (scope, part) => {
            // newScope may be left out only where S allows undefined (see WorkerSubscriber).
            onRejection(onPart?.call(subscriber, scope.user as S, part), late);
            if (part.type === "delta") {
              if (onComplete !== undefined) scope.text += part.text;
              if (onPartial !== undefined && scope.json !== undefined) {
                scope.json.push(part.text);
                onRejection(onPartial(scope.user as S, part.block, scope.json.value, part.text), late);
              }
            } else if (part.type === "stop") onRejection(onComplete?.(scope.text, part.block), late);
          },
        }),
      );
    };
    const { onTextComplete, onThinkingComplete, onToolCallComplete, onPartialArguments } = subscriber;
    attach(TextBlock, subscriber.onTextBlock, onTextComplete && ((text) => onTextComplete.call(subscriber, text)));
    attach(
      ThinkingBlock,
      subscriber.onThinkingBlock,
      onThinkingComplete && ((text) => onThinkingComplete.call(subscriber, text)),
    );
    attach(RefusalBlock, subscriber.onRefusalBlock, undefined);
    attach(
      ToolUseBlock,
      subscriber.onToolUseBlock,
      onToolCallComplete &&
        ((text, { id, name }) => onToolCallComplete.call(subscriber, { callId: id, name, arguments: text })),
      onPartialArguments &&
        ((scope, { id, name }, value, delta) =>
          onPartialArguments.call(subscriber, scope, { callId: id, name }, value, delta)),
    );
    return removals;
  }
}
