/** What a handler listens to. A kind only names and selects; it holds no state. */
import type {
  Block,
  ErrorEvent,
  Event,
  PingEvent,
  ReasoningData,
  StatusEvent,
  StopReason,
  UsageEvent,
} from "@tsukumo/client";

/** Selects single events. A handler of such a kind has one scope for as long as it is registered. */
export interface EventKind<E> {
  readonly lifetime: "timeline";
  readonly name: string;
  /** Only events of this type are offered to `select`; all, where it is left out. */
  readonly eventType?: Event["type"];
  select(event: Event): E | undefined;
}

/** Selects blocks. A handler of such a kind has one scope a block, made at its start and dropped at its end. */
export interface BlockKind<B extends Block> {
  readonly lifetime: "block";
  readonly name: string;
  matches(block: Block): block is B;
}

/** A block's life, as a handler sees it: one start, any number of deltas, then one stop or one abort. */
export type BlockPart<B extends Block> =
  | { readonly type: "start"; readonly index: number; readonly block: B }
  | { readonly type: "delta"; readonly index: number; readonly block: B; readonly text: string }
  | {
      readonly type: "stop";
      readonly index: number;
      readonly block: B;
      readonly stopReason?: StopReason;
      readonly reasoning?: ReasoningData;
    }
  | { readonly type: "abort"; readonly index: number; readonly block: B; readonly reason: string };

export type BlockOf<T extends Block["type"]> = Extract<Block, { type: T }>;

/** A kind of single events: `eventKind("unknown", (e) => (e.type === "unhandled" ? e.name : undefined))`. */
export function eventKind<E>(
  name: string,
  select: (event: Event) => E | undefined,
  eventType?: Event["type"],
): EventKind<E> {
  return Object.freeze({
    lifetime: "timeline" as const,
    name,
    select,
    ...(eventType === undefined ? {} : { eventType }),
  });
}

/** A kind of blocks: `blockKind("searches", (b): b is ToolUse => b.type === "tool_use" && b.name === "search")`. */
export function blockKind<B extends Block>(name: string, matches: (block: Block) => block is B): BlockKind<B> {
  return Object.freeze({ lifetime: "block" as const, name, matches });
}

export const Ping: EventKind<PingEvent> = eventKind("ping", (e) => (e.type === "ping" ? e : undefined), "ping");
export const UsageKind: EventKind<UsageEvent> = eventKind(
  "usage",
  (e) => (e.type === "usage" ? e : undefined),
  "usage",
);
export const Status: EventKind<StatusEvent> = eventKind(
  "status",
  (e) => (e.type === "status" ? e : undefined),
  "status",
);
export const ErrorKind: EventKind<ErrorEvent> = eventKind(
  "error",
  (e) => (e.type === "error" ? e : undefined),
  "error",
);
export const AnyEvent: EventKind<Event> = eventKind("any", (e) => e);

export const TextBlock: BlockKind<BlockOf<"text">> = blockKind("text", (b) => b.type === "text");
export const ThinkingBlock: BlockKind<BlockOf<"thinking">> = blockKind("thinking", (b) => b.type === "thinking");
export const RefusalBlock: BlockKind<BlockOf<"refusal">> = blockKind("refusal", (b) => b.type === "refusal");
export const ToolUseBlock: BlockKind<BlockOf<"tool_use">> = blockKind("tool_use", (b) => b.type === "tool_use");
export const ServerToolUseBlock: BlockKind<BlockOf<"server_tool_use">> = blockKind(
  "server_tool_use",
  (b) => b.type === "server_tool_use",
);
export const ToolResultBlock: BlockKind<BlockOf<"tool_result">> = blockKind(
  "tool_result",
  (b) => b.type === "tool_result",
);
