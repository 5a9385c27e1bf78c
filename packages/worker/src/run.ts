/** The loop: each step looks at the session and does what is next, so that a resumed session goes on like any other. */
import type { MessageItem, StopReason } from "@tsukumo/client";
import { messageOf, WorkerError } from "./errors.js";
import { origin, type Run } from "./run-context.js";
import type { RunResult, RunStatus } from "./run-result.js";
import { answerOpenCalls, runPendingCalls } from "./tool-batch.js";
import { runTurn, stopsEarly } from "./turn.js";

/**
 * Runs until the model calls no more tools, a hook pauses, or a limit is reached.
 * @param input undefined goes on with what the session holds
 * @throws {WorkerError} then every call has its output, and the history can be sent again
 */
export async function execute(run: Run, input: MessageItem | undefined): Promise<RunResult> {
  if (run.telemetry === undefined) return guarded(run, input);
  return run.telemetry.span({ kind: "run", ...origin(run) }, undefined, async (span) => {
    run.span = span;
    const result = await guarded(run, input);
    span.outcome({ usage: result.usage });
    return result;
  });
}

async function guarded(run: Run, input: MessageItem | undefined): Promise<RunResult> {
  try {
    await run.session.settled();
    if (input !== undefined) await submit(run, input);
    else if (run.session.state.history.length === 0 && run.session.state.queued.length === 0) {
      throw new WorkerError(
        "InvalidHistory",
        "There is nothing to go on with: the history is empty. Call run() instead.",
      );
    }
    const result = await loop(run);
    run.subscribers.tell("onRunEnd", { result });
    return result;
  } catch (thrown) {
    const error = await failed(run, thrown);
    run.subscribers.tell("onRunEnd", { error });
    throw error;
  }
}

/** Input waits in the queue until the calls of an earlier run have their outputs. */
async function submit(run: Run, input: MessageItem): Promise<void> {
  let item = input;
  if (run.hooks.has("OnPromptSubmit")) {
    const context = { item, history: run.session.state.history.items };
    const decision = await run.hooks.decide("OnPromptSubmit", context, run.cancellation);
    if (decision !== undefined) {
      throw new WorkerError("Aborted", `An OnPromptSubmit hook cancelled: ${decision.reason}`, {
        reason: decision.reason,
      });
    }
    item = context.item;
  }
  await run.session.commit({ type: "queue", items: [item] });
}

async function loop(run: Run): Promise<RunResult> {
  const { session } = run;
  const { state } = session;
  let answer: Answer | undefined = earlierAnswer(run);
  /** Text of an answer that broke off, which the next turn continues. */
  let carried = "";
  let breaks = 0;
  for (;;) {
    run.cancellation.throwIfCancelled();
    if (state.history.calls.size > 0) {
      const pause = await runPendingCalls(run);
      if (pause !== undefined) return paused(run, carried, pause.reason);
      answer = undefined;
    }
    if (state.queued.length > 0) {
      await session.commit({ type: "items", items: state.queued, dequeued: state.queued.length });
      answer = undefined;
    }
    if (answer !== undefined) {
      const result = await endTurn(run, answer);
      if (result !== undefined) return result;
      carried = "";
    }
    if (run.turns >= run.maxTurns) return resultOf(run, "limit_reached", carried);

    const outcome = await runTurn(run);
    const text = carried + outcome.text;
    switch (outcome.kind) {
      case "paused":
        return paused(run, text, outcome.reason);
      case "broken":
        if (breaks >= (run.limits.maxContinuations ?? 3)) throw streamBroken(outcome.cause, outcome.partialText);
        breaks += 1;
        carried = text;
        answer = undefined;
        run.subscribers.tell("onContinuation", breaks, outcome.cause);
        break;
      case "whole":
        breaks = 0;
        carried = "";
        if (outcome.cutShort && state.history.calls.size > 0) {
          await answerOpenCalls(run, `the answer ended early (${outcome.stopReason}).`);
          return resultOf(run, "incomplete", text, outcome.stopReason);
        }
        answer = answerOf(run, text, outcome.stopReason, outcome.cutShort);
        break;
    }
  }
}

/** An answer that calls no tool. */
interface Answer {
  readonly text: string;
  readonly stopReason: StopReason | undefined;
  readonly cutShort: boolean;
}

function answerOf(run: Run, text: string, stopReason: StopReason | undefined, cutShort: boolean): Answer | undefined {
  // A provider that pauses a long turn of its own tools wants the same conversation again.
  return run.session.state.history.calls.size > 0 || stopReason === "pause"
    ? undefined
    : { text, stopReason, cutShort };
}

/** A session that goes on after its answer (a hook paused at the turn's end) has that answer already. */
function earlierAnswer({ session: { state } }: Run): Answer | undefined {
  const last = state.history.items.at(-1);
  if (last?.type !== "message" || last.role !== "assistant") return undefined;
  if (state.interrupted || state.stopReason === "pause") return undefined;
  const text = last.content.map((part) => (part.type === "output_text" ? part.text : "")).join("");
  return { text, stopReason: state.stopReason, cutShort: stopsEarly(state.stopReason) };
}

/** Asks the OnTurnEnd hooks. Gives the run's result, or nothing where they gave messages to go on with. */
async function endTurn(run: Run, { text, stopReason, cutShort }: Answer): Promise<RunResult | undefined> {
  const status = cutShort ? "incomplete" : "finished";
  if (!run.hooks.has("OnTurnEnd")) return resultOf(run, status, text, stopReason);
  const { state } = run.session;
  const context = { turn: state.turns, text, stopReason, history: state.history.items };
  const decision = await run.hooks.decide("OnTurnEnd", context, run.cancellation);
  switch (decision?.action) {
    case undefined:
      return resultOf(run, status, text, stopReason);
    case "paused":
      return paused(run, text, decision.reason);
    case "continue_with_messages":
      await run.session.commit({ type: "items", items: decision.messages, dequeued: 0 });
      return undefined;
  }
}

function resultOf(run: Run, status: RunStatus, text: string, stopReason?: StopReason): RunResult {
  const result = { status, text, usage: run.usage, turns: run.turns };
  return stopReason === undefined ? result : { ...result, stopReason };
}

function paused(run: Run, text: string, reason: string | undefined): RunResult {
  const calls = run.session.state.history.calls
    .pending()
    .filter(({ state }) => state.stage !== "finished")
    .map(({ item }) => ({ callId: item.callId, name: item.name, arguments: item.arguments }));
  return { ...resultOf(run, "paused", text), pause: { calls, ...(reason === undefined ? {} : { reason }) } };
}

function streamBroken(cause: unknown, partialText: string): WorkerError {
  return new WorkerError("StreamBroken", `The answer broke off: ${messageOf(cause)}`, { cause, partialText });
}

/** Leaves a history that can be sent again, tells the OnAbort hooks, and gives the error to throw. */
async function failed(run: Run, thrown: unknown): Promise<WorkerError> {
  let error =
    thrown instanceof WorkerError
      ? thrown
      : new WorkerError("Internal", `The run failed: ${messageOf(thrown)}`, { cause: thrown });
  // Input that was accepted stays, even where the run ended before its turn came.
  try {
    if (error.code !== "JournalFailed") {
      await answerOpenCalls(run, error.message);
      const { queued } = run.session.state;
      if (queued.length > 0) await run.session.commit({ type: "items", items: queued, dequeued: queued.length });
    }
  } catch (second) {
    if (second instanceof WorkerError && second.code === "JournalFailed") error = second;
  }
  await run.hooks.tellAbort({ reason: error.reason ?? error.message, error }, (failure) =>
    run.subscribers.warn({ code: "hook_failed", message: failure.message, cause: failure.cause }),
  );
  return error;
}
