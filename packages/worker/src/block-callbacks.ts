/** A subscriber's block callbacks as handlers of the timeline, each block with a scope of its own. */
import type { JsonValue } from "@tsukumo/tool";
import { PartialJson } from "./partial-json.js";
import type { ScopedBlock, WorkerSubscriber } from "./subscriber.js";
import {
  type BlockKind,
  type BlockPart,
  RefusalBlock,
  TextBlock,
  ThinkingBlock,
  ToolUseBlock,
} from "./timeline/kind.js";
import { onRejection } from "./timeline/rejection.js";
import type { Timeline } from "./timeline/timeline.js";

/**
 * Registers what the subscriber has for blocks. Gives functions that take it away again.
 * @param failed told of callbacks whose promise rejects; the timeline tells of those that throw
 */
export function attachBlocks<S>(
  timeline: Timeline,
  subscriber: WorkerSubscriber<S>,
  failed: (name: string, cause: unknown) => void,
): (() => void)[] {
  const removals: (() => void)[] = [];
  const attach = <B extends ScopedBlock>(
    kind: BlockKind<B>,
    onPart: ((scope: S, part: BlockPart<B>) => void) | undefined,
    onComplete: ((text: string, block: B) => void) | undefined,
    onPartial?: (scope: S, block: B, value: JsonValue, delta: string) => void,
  ): void => {
    if (onPart === undefined && onComplete === undefined && onPartial === undefined) return;
    const late = (cause: unknown): void => failed(`A ${kind.name} callback`, cause);
    removals.push(
      timeline.onBlock(kind, {
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
