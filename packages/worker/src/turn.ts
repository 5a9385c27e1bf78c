/** One turn: a request, its stream, and what the history gets of it. */
import type { Event, Request, StopReason } from "@tsukumo/client";
import { CallIds } from "./call-ids.js";
import { messageOf, WorkerError } from "./errors.js";
import { nextRequest } from "./request.js";
import { ResponseCollector } from "./response-collector.js";
import { origin, type Run } from "./run-context.js";
import { hearsStream, type StreamDecision, tellStreamHooks } from "./stream-hooks.js";
import type { Span } from "./telemetry.js";
import { addUsage } from "./usage.js";

export type TurnOutcome =
  /** `cutShort`: it stopped before the model was done, and its calls must not run. */
  | {
      readonly kind: "whole";
      readonly text: string;
      readonly stopReason: StopReason | undefined;
      readonly cutShort: boolean;
    }
  | { readonly kind: "broken"; readonly text: string; readonly partialText: string; readonly cause: unknown }
  | { readonly kind: "paused"; readonly text: string; readonly reason: string | undefined };

/** @throws {WorkerError} the history can be sent again, whatever it is */
export async function runTurn(run: Run): Promise<TurnOutcome> {
  const turn = run.session.state.turns + 1;
  let stopReason: StopReason | undefined;
  run.subscribers.tell("onTurnStart", turn);
  try {
    const request = await nextRequest(run, turn);
    run.turns += 1;
    run.projection.sent(run.session.state);
    const outcome =
      run.telemetry === undefined
        ? await ask(run, turn, request, undefined)
        : await run.telemetry.span({ kind: "request", config: request.config, ...origin(run) }, run.span, (span) =>
            ask(run, turn, request, span),
          );
    if (outcome.kind === "whole") stopReason = outcome.stopReason;
    return outcome;
  } finally {
    run.subscribers.tell("onTurnEnd", turn, stopReason);
  }
}

async function ask(run: Run, turn: number, request: Request, span: Span | undefined): Promise<TurnOutcome> {
  const response = new ResponseCollector();
  let decision: StreamDecision | undefined;
  try {
    decision = await readStream(run, request, response);
  } catch (thrown) {
    return interrupted(run, response, thrown);
  } finally {
    span?.outcome(response);
  }
  if (response.error !== undefined) {
    const { code, message } = response.error;
    const error = new WorkerError("ModelError", `The provider reported an error: ${message}`, {
      cause: response.error,
    });
    return interrupted(run, response, error, code);
  }
  if (decision !== undefined) return stoppedByHook(run, response, decision);
  if (!response.whole) return interrupted(run, response, new Error("The stream ended before the answer did."));
  return whole(run, turn, request, response);
}

/** Gives every event to whoever wants it. @throws what the client, a hook or the cancellation throws */
async function readStream(
  run: Run,
  request: Request,
  response: ResponseCollector,
): Promise<StreamDecision | undefined> {
  const { subscribers, cancellation } = run;
  const { timeline } = subscribers;
  const ids = new CallIds(run.session.state.history.calls);
  const hooked = hearsStream(run);
  cancellation.throwIfCancelled();
  const stream = run.client
    .stream(request, { signal: cancellation.signal, onRetry: (notice) => subscribers.tell("onRetry", notice) })
    [Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const batch = await cancellation.guard(stream.next());
      if (batch.done) {
        ended = true;
        return undefined;
      }
      for (const received of batch.value) {
        const event = ids.unique(received);
        response.take(event);
        if (!timeline.idle) timeline.dispatch(event);
        tellMeta(run, event);
        const decision = hooked ? await tellStreamHooks(run, response, event) : undefined;
        if (decision !== undefined) return decision;
        if (response.error !== undefined) return undefined;
      }
    }
  } finally {
    // Not awaited: a client that hangs in its last read would hang the run.
    if (!ended) stream.return?.().then(undefined, () => undefined);
  }
}

function tellMeta(run: Run, event: Event): void {
  if (event.type === "status") run.subscribers.tell("onStatus", event.status);
  else if (event.type === "error") run.subscribers.tell("onError", event);
}

async function whole(run: Run, turn: number, request: Request, response: ResponseCollector): Promise<TurnOutcome> {
  const { stopReason } = response;
  const cutShort = stopsEarly(stopReason);
  const items = cutShort ? response.itemsOfCutShort() : response.items();
  const text = textOf(items);
  const calls = items.some((item) => item.type === "function_call");
  // A refusal is the model's answer; the others stopped it in the middle of one.
  await finish(run, response, items, cutShort && stopReason !== "refusal" && text !== "" && !calls);
  run.projection.measure(response.usage?.inputTokens, request.items.length);

  if (run.hooks.has("OnStreamComplete")) {
    const context = { turn, eventCount: response.eventCount };
    const decision = await run.hooks.decide("OnStreamComplete", context, run.cancellation);
    if (decision?.action === "pause") return { kind: "paused", text, reason: decision.reason };
    if (decision?.action === "abort") throw abortedByHook(decision.reason);
  }
  return { kind: "whole", text, stopReason, cutShort };
}

/** Stop reasons after which a call may be half of what the model wanted, or not wanted at all. */
export function stopsEarly(stopReason: StopReason | undefined): boolean {
  switch (stopReason) {
    case "max_tokens":
    case "context_exceeded":
    case "content_filter":
    case "refusal":
      return true;
    case "end_turn":
    case "stop_sequence":
    case "tool_use":
    case "pause":
    case "other":
    case undefined:
      return false;
  }
}

async function stoppedByHook(run: Run, response: ResponseCollector, decision: StreamDecision): Promise<TurnOutcome> {
  run.subscribers.timeline.abortOpenBlocks(`stopped by a hook: ${decision.reason ?? decision.action}`);
  const text = await keepFinished(run, response);
  if (decision.action === "pause") return { kind: "paused", text, reason: decision.reason };
  throw abortedByHook(decision.reason);
}

/** Keeps what `ResponseCollector.itemsOfInterrupted` says; then tells a stream that can be continued from an error. */
async function interrupted(
  run: Run,
  response: ResponseCollector,
  thrown: unknown,
  code?: string,
): Promise<TurnOutcome> {
  run.subscribers.timeline.abortOpenBlocks(messageOf(thrown));
  const partialText = response.unfinishedText();
  const text = response.eventCount === 0 ? "" : await keepFinished(run, response);
  if (run.cancellation.cancelled) throw withPartialText(run.cancellation.error(), partialText);
  if (thrown instanceof WorkerError) throw withPartialText(thrown, partialText, code);
  if (response.eventCount > 0 && continuable(thrown)) return { kind: "broken", text, partialText, cause: thrown };
  throw new WorkerError("ClientFailed", `The request failed: ${messageOf(thrown)}`, { cause: thrown, partialText });
}

async function keepFinished(run: Run, response: ResponseCollector): Promise<string> {
  const items = response.itemsOfInterrupted();
  await finish(run, response, items, items.length > 0);
  return textOf(items);
}

async function finish(
  run: Run,
  response: ResponseCollector,
  items: ReturnType<ResponseCollector["items"]>,
  interrupted: boolean,
): Promise<void> {
  const usage = response.usage ?? {};
  const { stopReason } = response;
  const written = run.session.commit({
    type: "turn",
    items,
    usage,
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(interrupted ? { interrupted } : {}),
  });
  if (written !== undefined) await written;
  run.usage = addUsage(run.usage, usage);
  if (response.usage !== undefined) run.subscribers.tell("onUsage", response.usage);
}

/** A break of the connection may pass; these would come again. */
function continuable(thrown: unknown): boolean {
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
  return code !== "event_too_large" && code !== "parse" && code !== "config" && code !== "aborted";
}

function abortedByHook(reason: string | undefined): WorkerError {
  return new WorkerError("Aborted", `A stream hook aborted the run: ${reason ?? "no reason given"}`, {
    ...(reason === undefined ? {} : { reason }),
  });
}

function withPartialText(error: WorkerError, partialText: string, providerCode?: string): WorkerError {
  return new WorkerError(error.code, error.message, {
    cause: error.cause,
    partialText,
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...(providerCode === undefined ? {} : { reason: providerCode }),
  });
}

function textOf(items: ReturnType<ResponseCollector["items"]>): string {
  let text = "";
  for (const item of items) {
    if (item.type !== "message") continue;
    for (const part of item.content) if (part.type === "output_text") text += part.text;
  }
  return text;
}
