/**
 * The calls that wait for an output: hooks decide on each in order, what they let through runs at once, hooks see the
 * results in order, and the outputs enter the history together, in the calls' order.
 */
import { functionCallOutput } from "@tsukumo/client";
import type { RegisteredTool } from "@tsukumo/tool";
import type { CallState, PendingCall, ToolCall, ToolResult } from "./call-ledger.js";
import { WorkerError } from "./errors.js";
import type { Decision } from "./hooks/types.js";
import { limitedOutput } from "./output-limit.js";
import type { Run } from "./run-context.js";
import { failure, runCall, unknownTool } from "./tool-call.js";
import { reviewLate, reviewResults } from "./tool-review.js";

export interface BatchPause {
  readonly reason: string | undefined;
}

/**
 * @returns why, where a hook paused; nothing has run then
 * @throws {WorkerError} `Aborted`, `HookFailed`, `Cancelled`, `JournalFailed`; what has run is in the ledger
 */
export async function runPendingCalls(run: Run): Promise<BatchPause | undefined> {
  await recoverStarted(run);
  const pause = await decideOnOpen(run);
  if (pause !== undefined) return pause;
  await runApproved(run);
  run.cancellation.throwIfCancelled();
  const stop = await reviewResults(run);
  await appendOutputs(run);
  if (stop !== undefined) throw stop;
  return undefined;
}

/**
 * Gives every call that has no result yet one that tells why, so that the history can be sent again; results that are
 * there stay.
 */
export async function answerOpenCalls(run: Run, why: string): Promise<void> {
  const { calls } = run.session.state.history;
  if (calls.size === 0) return;
  await reviewLate(run);
  for (const { item, state } of calls.pending()) {
    switch (state.stage) {
      case "open":
      case "approved":
        await finishCall(run, callOf(item), failure(`The tool was not run: ${why}`), true);
        break;
      case "started":
        await finishCall(run, state.call, failure(`Whether the tool took effect is unknown: ${why}`), true);
        break;
      case "finished":
        break;
    }
  }
  await appendOutputs(run);
}

/** A call that had started when the process died: only a tool that changes nothing may run again. */
async function recoverStarted(run: Run): Promise<void> {
  for (const { state } of run.session.state.history.calls.pending()) {
    if (state.stage !== "started") continue;
    if (run.tools.get(state.call.name)?.meta.effect === "read_only") {
      await setCall(run, { stage: "approved", call: state.call });
    } else {
      const result = failure("The process ended while this tool was running. Whether it took effect is unknown.");
      await finishCall(run, state.call, result, true);
    }
  }
}

async function decideOnOpen(run: Run): Promise<BatchPause | undefined> {
  for (const { item, state } of run.session.state.history.calls.pending()) {
    if (state.stage !== "open") continue;
    const call = callOf(item);
    const entry = run.tools.get(call.name);
    if (entry === undefined) {
      await finishCall(run, call, unknownTool(run, call.name), true);
      continue;
    }
    const [decision, changed] = await decisionOn(run, call, entry);
    switch (decision?.action) {
      case undefined:
        await setCall(run, { stage: "approved", call: changed });
        break;
      case "skip":
        await finishCall(run, changed, failure(skipped(decision.reason)), true);
        break;
      case "synthetic_result":
        await finishCall(run, changed, { content: decision.content, isError: decision.isError ?? false }, true);
        break;
      case "abort":
        throw new WorkerError("Aborted", `A PreToolCall hook aborted the run: ${decision.reason}`, {
          reason: decision.reason,
        });
      case "pause":
        return { reason: decision.reason };
    }
  }
  return undefined;
}

/** What the caller of `resume()` decided goes before the hooks. */
async function decisionOn(
  run: Run,
  call: ToolCall,
  { meta, tool }: RegisteredTool,
): Promise<readonly [Decision<"PreToolCall"> | undefined, ToolCall]> {
  const given = Object.hasOwn(run.decisions, call.callId) ? run.decisions[call.callId] : undefined;
  if (given?.action === "continue") return [undefined, { ...call, arguments: given.arguments ?? call.arguments }];
  if (given !== undefined) return [given, call];
  if (!run.hooks.has("PreToolCall")) return [undefined, call];
  const context = { call, meta, tool, signal: run.cancellation.signal };
  const decision = await run.hooks.decide("PreToolCall", context, run.cancellation);
  // The id pairs the call with its output; a hook that changes it changes nothing.
  return [decision, { ...context.call, callId: call.callId }];
}

const NOT_RUN = failure("The tool was not run: the run was cancelled.");

async function runApproved(run: Run): Promise<void> {
  const batchId = `turn_${run.session.state.turns}`;
  const approved = run.session.state.history.calls
    .pending()
    .flatMap(({ state }) => (state.stage === "approved" ? [state.call] : []));
  let next = 0;
  const lane = async (): Promise<void> => {
    while (!run.cancellation.cancelled) {
      const index = next++;
      const call = approved[index];
      if (call === undefined) return;
      await setCall(run, { stage: "started", call });
      run.subscribers.tell("onToolStart", call);
      // The journal's write and the subscribers took their time: the last look is here.
      const result = run.cancellation.cancelled ? NOT_RUN : await runCall(run, call, batchId, index);
      // Before the result: a state without it is better than a result whose state is gone.
      await run.session.saveSharedState();
      await finishCall(run, call, result, false);
      run.subscribers.tell("onToolEnd", call, result.isError);
    }
  };
  const lanes = Math.min(approved.length, Math.max(1, run.limits.maxParallelTools ?? approved.length));
  // Settled, not all: a journal that fails for one call must not leave the others running behind the run's back.
  const outcomes = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

async function appendOutputs(run: Run): Promise<void> {
  const answered = run.session.state.history.calls.pending().flatMap((pending) => answer(run, pending));
  const items = answered.map(({ callId, result }) =>
    Object.freeze(functionCallOutput(callId, result.content, result.isError)),
  );
  const written = run.session.commit({ type: "items", items });
  if (written !== undefined) await written;
  for (const { call, result } of answered) run.subscribers.tell("onToolResult", call, result);
}

function answer(run: Run, { item, state }: PendingCall): { callId: string; call: ToolCall; result: ToolResult }[] {
  if (state.stage !== "finished") return [];
  return [{ callId: item.callId, call: state.call, result: limitedOutput(run, state.call, state.result) }];
}

function finishCall(run: Run, call: ToolCall, result: ToolResult, final: boolean): Promise<void> | undefined {
  return setCall(run, { stage: "finished", call, result, final });
}

function setCall(run: Run, state: Exclude<CallState, { stage: "open" }>): Promise<void> | undefined {
  return run.session.commit({ type: "call", callId: state.call.callId, state });
}

function callOf(item: PendingCall["item"]): ToolCall {
  return { callId: item.callId, name: item.name, arguments: item.arguments };
}

function skipped(reason: string | undefined): string {
  if (reason === undefined) return "The call was skipped.";
  return `The call was skipped: ${reason}${/[.!?…。]$/.test(reason) ? "" : "."}`;
}
