import type { Block } from "@tsukumo/client";
import type { BlockPart } from "./kind.js";

/** Handles single events; `scope` lives as long as the registration. */
export interface EventHandler<E, S> {
  scope(): S;
  onEvent(scope: S, event: E): void;
}

/** Handles blocks; every block gets a fresh `scope`, so that interleaved blocks never mix. */
export interface BlockHandler<B extends Block, S> {
  scope(block: B, index: number): S;
  onEvent(scope: S, part: BlockPart<B>): void;
}

/** What a handler threw. The stream and the other handlers go on. */
export interface HandlerFailure {
  /** The name of the handler's kind. */
  readonly kind: string;
  readonly error: unknown;
}
