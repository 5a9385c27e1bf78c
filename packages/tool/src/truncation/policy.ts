/** How much of an output a model gets to see. */
import type { SpillError, SpillSink } from "../spill/sink.js";
import type { Alignment } from "./boundary.js";

export interface TruncationPolicy {
  /** Of the result, in UTF-8, the marker included. */
  readonly maxBytes: number;
  /** The head's share of what is kept, 0 to 1; one half unless given. 0 keeps the end only, 1 the start only. */
  readonly headRatio?: number;
  /** `line` cuts between lines where one begins within 4096 characters; `char`, the default, between graphemes. */
  readonly alignment?: Alignment;
  /**
   * What stands for the omitted part, in place of the default. Knows `{omitted_bytes}`, `{original_bytes}`,
   * `{offset_start}`, `{offset_end}` (byte offsets into the whole output) and `{ref}`. A marker that is too long for
   * `maxBytes` gives way to a short one.
   */
  readonly marker?: string;
}

export interface SpillPolicy extends TruncationPolicy {
  /** Keeps the whole output before it is cut. */
  readonly sink?: SpillSink;
  /** Told of the failure that `truncate` writes into the marker; for logs. */
  readonly onSpillError?: (error: SpillError) => void;
}

/** Bytes for one output where so many tokens are left: a share of them (0.3), at 4 bytes each, within bounds. */
export function bytesForContext(
  remainingTokens: number,
  options: {
    readonly share?: number;
    readonly bytesPerToken?: number;
    readonly min?: number;
    readonly max?: number;
  } = {},
): number {
  const { share = 0.3, bytesPerToken = 4, min = 1024, max = 262_144 } = options;
  const bytes = Math.floor(Math.max(0, remainingTokens) * share * bytesPerToken);
  return Math.min(max, Math.max(min, bytes));
}

/** @throws {RangeError} where `maxBytes` is not a whole number from 0 */
export function checkPolicy(policy: TruncationPolicy): void {
  if (!Number.isSafeInteger(policy.maxBytes) || policy.maxBytes < 0)
    throw new RangeError(`maxBytes must be a whole number from 0, not ${policy.maxBytes}.`);
}

/** The head's share as a number from 0 to 1; what is no number keeps the end only. */
export function headShare({ headRatio = 0.5 }: TruncationPolicy): number {
  return headRatio > 0 ? Math.min(headRatio, 1) : 0;
}
