/** The hook points: what each is given and what it may answer. An answer of nothing means continue (or finish). */
import type { Event, Item, MessageItem, Request, StopReason } from "@tsukumo/client";
import type { Tool, ToolMeta } from "@tsukumo/tool";
import type { ToolCall, ToolResult } from "../call-ledger.js";
import type { WorkerError } from "../errors.js";

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing, and a function without a return is typed void
type Answer<T> = T | void | Promise<T | void>;

export interface Continue {
  readonly action: "continue";
}
export interface Cancel {
  readonly action: "cancel";
  readonly reason: string;
}
export interface Abort {
  readonly action: "abort";
  readonly reason: string;
}
export interface Pause {
  readonly action: "pause";
  readonly reason?: string;
}

export interface PromptSubmitContext {
  /** The input, before it enters the history. Assign to change it. */
  item: MessageItem;
  readonly history: readonly Item[];
}
export type PromptSubmitResult = Continue | Cancel;

export interface PreLlmRequestContext {
  /** The turn that begins, counted from 1 over the whole session. */
  readonly turn: number;
  /**
   * What will be sent. Assign to change this request alone; the history stays as it is. While the worker is locked, a
   * request may only add items at its end: anything else ends the run with `CachePrefixChanged`.
   */
  request: Request;
  readonly history: readonly Item[];
}
export type PreLlmRequestResult = Continue | Cancel;

export interface PreToolCallContext {
  /** The call. Assign to change what is run; the history keeps what the model wrote. */
  call: ToolCall;
  readonly meta: ToolMeta;
  /** The instance that was made at registration. */
  readonly tool: Tool;
  readonly signal: AbortSignal;
}
/** Does not run the tool; the model is told so. */
export interface Skip {
  readonly action: "skip";
  readonly reason?: string;
}
/** Does not run the tool; the model is told this as its result. */
export interface SyntheticResult {
  readonly action: "synthetic_result";
  readonly content: string;
  readonly isError?: boolean;
}
export type PreToolCallResult = Continue | Skip | SyntheticResult | Abort | Pause;

export interface PostToolCallContext {
  readonly call: ToolCall;
  /** Assign to change what the model and the history get. */
  result: ToolResult;
  readonly meta: ToolMeta;
  readonly tool: Tool;
}
export type PostToolCallResult = Continue | Abort;

export interface TurnEndContext {
  readonly turn: number;
  /** The answer's text. */
  readonly text: string;
  readonly stopReason: StopReason | undefined;
  readonly history: readonly Item[];
}
export type TurnEndResult =
  | { readonly action: "finish" }
  /** The run goes on with these. */
  | { readonly action: "continue_with_messages"; readonly messages: readonly MessageItem[] }
  | { readonly action: "paused"; readonly reason?: string };

export interface AbortContext {
  readonly reason: string;
  readonly error: WorkerError;
}

export interface TextDeltaContext {
  readonly index: number;
  readonly delta: string;
}
export interface ToolCallDeltaContext {
  readonly index: number;
  readonly callId: string;
  readonly name: string;
  readonly deltaJsonFragment: string;
}
export interface StreamChunkContext {
  readonly event: Event;
}
export interface StreamCompleteContext {
  readonly turn: number;
  readonly eventCount: number;
}
/** `abort` fails the run, `pause` ends it so that it can be resumed; both break the stream off. */
export type StreamResult = Continue | Abort | Pause;

/** What each hook is given. */
export interface HookContexts {
  /** Before the input enters the history. Cancel: nothing enters it. */
  OnPromptSubmit: PromptSubmitContext;
  PreLlmRequest: PreLlmRequestContext;
  /** One call after the other, in their order, before any of the batch runs. Unknown tools have no hook. */
  PreToolCall: PreToolCallContext;
  /** One result after the other, in the calls' order, after all of the batch have run. */
  PostToolCall: PostToolCallContext;
  /** After a turn that called no tool. */
  OnTurnEnd: TurnEndContext;
  /** After a run that ends with an error; what it answers is ignored. */
  OnAbort: AbortContext;
  OnTextDelta: TextDeltaContext;
  OnThinkingDelta: TextDeltaContext;
  OnToolCallDelta: ToolCallDeltaContext;
  OnStreamChunk: StreamChunkContext;
  OnStreamComplete: StreamCompleteContext;
}

/** What each hook may answer. */
export interface HookResults {
  OnPromptSubmit: PromptSubmitResult;
  PreLlmRequest: PreLlmRequestResult;
  PreToolCall: PreToolCallResult;
  PostToolCall: PostToolCallResult;
  OnTurnEnd: TurnEndResult;
  OnAbort: never;
  OnTextDelta: StreamResult;
  OnThinkingDelta: StreamResult;
  OnToolCallDelta: StreamResult;
  OnStreamChunk: StreamResult;
  OnStreamComplete: StreamResult;
}

export type HookPoint = keyof HookContexts;

export type Hooks = { [P in HookPoint]: (context: HookContexts[P]) => Answer<HookResults[P]> };

/** What the hooks of a point may decide, beside going on. */
export type Decision<P extends HookPoint> = Exclude<HookResults[P], { readonly action: "continue" | "finish" }>;
