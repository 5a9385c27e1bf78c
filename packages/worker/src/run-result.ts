import type { StopReason, Usage } from "@tsukumo/client";
import type { ToolCall } from "./call-ledger.js";

export type RunStatus =
  /** The model answered and calls no more tools. */
  | "finished"
  /** A hook paused the run; `resume()` goes on. */
  | "paused"
  /** `maxTurns` requests were sent and the model wants another. `resume()` goes on. */
  | "limit_reached"
  /** The answer ended before the model was done (`stopReason` tells why); calls in it were not run. */
  | "incomplete";

export interface RunResult {
  readonly status: RunStatus;
  /** The text of the last answer. */
  readonly text: string;
  readonly stopReason?: StopReason;
  /** Of this run's requests. */
  readonly usage: Usage;
  /** Requests that this run sent and that were answered. */
  readonly turns: number;
  /** When paused: why, and the calls that wait. */
  readonly pause?: { readonly reason?: string; readonly calls: readonly ToolCall[] };
}
