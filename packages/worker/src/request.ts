/** The next request: what the history, the lock and the PreLlmRequest hooks make of it. */
import { type Item, type Request, userMessage } from "@tsukumo/client";
import { WorkerError } from "./errors.js";
import { deepFreeze } from "./history.js";
import type { Run } from "./run-context.js";

const CONTINUE = deepFreeze(
  userMessage("Your last answer was interrupted. Continue it exactly where it stops, without repeating anything."),
);

/**
 * @throws {WorkerError} `Aborted` where a hook cancels, `CachePrefixChanged` where one changes what the lock protects
 */
export async function nextRequest(run: Run, turn: number): Promise<Request> {
  const { state } = run.session;
  const pruned = run.projection.newlyPruned(state);
  if (pruned.length > 0) await run.session.commit({ type: "prune", callIds: pruned });

  const kept = run.projection.items(state);
  const request: Request = {
    ...(state.systemPrompt === undefined ? {} : { systemPrompt: state.systemPrompt }),
    // Asked for in this request alone: the history holds what was said, not how it was asked for.
    items: state.interrupted ? [...kept, CONTINUE] : kept,
    tools: state.lock?.tools ?? run.tools.sorted(),
    config: state.config,
  };
  if (!run.hooks.has("PreLlmRequest")) return request;

  const shown = unchangeable(request);
  const context = { turn, request: shown, history: state.history.items };
  const decision = await run.hooks.decide("PreLlmRequest", context, run.cancellation);
  if (decision !== undefined) {
    throw new WorkerError("Aborted", `A PreLlmRequest hook cancelled: ${decision.reason}`, { reason: decision.reason });
  }
  if (context.request === shown) return request;
  if (state.lock !== undefined) refuseChangedPrefix(shown, context.request, kept);
  return context.request;
}

/** What a hook sees: changing it in place would change the session behind the journal's back, and the locked prefix. */
function unchangeable(request: Request): Request {
  return Object.freeze({
    ...request,
    items: Object.freeze([...request.items]),
    config: deepFreeze(structuredClone(request.config)),
  });
}

function sameTools(wanted: Request, sent: Request): boolean {
  return JSON.stringify(wanted.config.extra?.tools) === JSON.stringify(sent.config.extra?.tools);
}

/** Compared by identity: an equal copy may encode differently, and a cache of encoded items would miss it. */
function refuseChangedPrefix(sent: Request, wanted: Request, kept: readonly Item[]): void {
  const part =
    wanted.systemPrompt !== sent.systemPrompt
      ? "the system prompt"
      : wanted.tools !== sent.tools || !sameTools(wanted, sent)
        ? "the tools"
        : kept.some((item, at) => wanted.items[at] !== item)
          ? "items of the history"
          : undefined;
  if (part === undefined) return;
  throw new WorkerError(
    "CachePrefixChanged",
    `A PreLlmRequest hook changed ${part}, but the worker is locked. Add items at the end instead, or unlock() the worker first.`,
  );
}
