/**
 * PostToolCall: every result is seen by the hooks before it enters the history. One that was not seen to the end is
 * withheld, because a hook that takes secrets out must not be passed by.
 */

import type { CallState, ToolCall, ToolResult } from "./call-ledger.js";
import { Cancellation } from "./cancellation.js";
import { WorkerError } from "./errors.js";
import type { Run } from "./run-context.js";
import { failure } from "./tool-call.js";

interface Review {
  readonly result: ToolResult;
  /** Why the run ends, where a hook aborted or failed. */
  readonly stop?: WorkerError;
}

/**
 * Reviews all results, also after one that ends the run.
 * @returns the first abort or failure
 * @throws {WorkerError} `Cancelled`
 */
export async function reviewResults(run: Run): Promise<WorkerError | undefined> {
  let stop: WorkerError | undefined;
  for (const { call, result } of unreviewed(run)) {
    const review = await reviewed(run, call, result, run.cancellation);
    stop ??= review.stop;
    await finish(run, call, review.result);
  }
  return stop;
}

/** After a run that failed: hooks that answer within the current task are heard, nobody waits for the others. */
export async function reviewLate(run: Run): Promise<void> {
  for (const { call, result } of unreviewed(run)) {
    const late = new Promise<Review>((resolve) => setTimeout(resolve, 0, { result: WITHHELD }));
    const review = await Promise.race([reviewed(run, call, result, new Cancellation(undefined)), late]);
    await finish(run, call, review.result);
  }
}

const WITHHELD = failure("The tool ran, but its result was not reviewed to the end and is withheld.");

function unreviewed(run: Run): Extract<CallState, { stage: "finished" }>[] {
  if (!run.hooks.has("PostToolCall")) return [];
  return run.session.state.history.calls
    .pending()
    .flatMap(({ state }) => (state.stage === "finished" && !state.final ? [state] : []));
}

async function reviewed(run: Run, call: ToolCall, result: ToolResult, cancellation: Cancellation): Promise<Review> {
  const entry = run.tools.get(call.name);
  if (entry === undefined) return { result };
  const context = { call, result, ...entry };
  try {
    const decision = await run.hooks.decide("PostToolCall", context, cancellation);
    const given: unknown = context.result;
    if (!isResult(given)) {
      const message = "A PostToolCall hook gave a result that is not { content: string, isError: boolean }.";
      return { result: WITHHELD, stop: new WorkerError("HookFailed", message) };
    }
    if (decision === undefined) return { result: context.result };
    const { reason } = decision;
    const stop = new WorkerError("Aborted", `A PostToolCall hook aborted the run: ${reason}`, { reason });
    return { result: context.result, stop };
  } catch (thrown) {
    if (thrown instanceof WorkerError && thrown.code === "HookFailed") return { result: WITHHELD, stop: thrown };
    throw thrown;
  }
}

function isResult(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  return "content" in given && typeof given.content === "string";
}

function finish(run: Run, call: ToolCall, result: ToolResult): Promise<void> | undefined {
  const state = { stage: "finished", call, result, final: true } as const;
  return run.session.commit({ type: "call", callId: call.callId, state });
}
