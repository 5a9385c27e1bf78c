/** The hooks by their points. At each, they run in the order of registration and the first decision wins. */
import type { Cancellation } from "../cancellation.js";
import { messageOf, WorkerError } from "../errors.js";
import type { AbortContext, Decision, HookContexts, HookPoint, Hooks } from "./types.js";

type Lists = { readonly [P in HookPoint]: Hooks[P][] };

export class HookRegistry {
  readonly #lists: Lists = {
    OnPromptSubmit: [],
    PreLlmRequest: [],
    PreToolCall: [],
    PostToolCall: [],
    OnTurnEnd: [],
    OnAbort: [],
    OnTextDelta: [],
    OnThinkingDelta: [],
    OnToolCallDelta: [],
    OnStreamChunk: [],
    OnStreamComplete: [],
  };

  /** Gives a function that takes the hook away again. */
  add<P extends HookPoint>(point: P, hook: Hooks[P]): () => void {
    const list: Hooks[P][] = this.#lists[point];
    list.push(hook);
    let removed = false;
    return () => {
      // Once: the same hook may have been added again.
      const at = removed ? -1 : list.indexOf(hook);
      removed = true;
      if (at >= 0) list.splice(at, 1);
    };
  }

  points(): readonly HookPoint[] {
    // The lists' type names exactly the hook points.
    return Object.keys(this.#lists) as HookPoint[];
  }

  has(point: HookPoint): boolean {
    return this.#lists[point].length > 0;
  }

  /**
   * Asks the hooks of a point one after the other.
   * @returns the first decision; undefined where all continue
   * @throws {WorkerError} `HookFailed` with what a hook threw, `Cancelled` while one is awaited
   */
  async decide<P extends HookPoint>(
    point: P,
    context: HookContexts[P],
    cancellation: Cancellation,
  ): Promise<Decision<P> | undefined> {
    const hooks: readonly Hooks[P][] = this.#lists[point];
    for (const hook of [...hooks]) {
      cancellation.throwIfCancelled();
      const answer = await cancellation.guard(called(point, hook, context));
      if (isDecision(point, answer)) return answer;
    }
    return undefined;
  }

  /** Tells the OnAbort hooks, whatever one of them does; one that takes longer than 5 s is left behind. */
  async tellAbort(context: AbortContext, onFailure: (error: WorkerError) => void): Promise<void> {
    for (const hook of [...this.#lists.OnAbort]) {
      try {
        await inTime(hook(context));
      } catch (cause) {
        onFailure(failed("OnAbort", cause));
      }
    }
  }
}

/** `cancel()` has been used up by then: nobody else could end the wait. */
const ABORT_HOOK_MS = 5000;

async function inTime(answer: unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${ABORT_HOOK_MS} ms`)), ABORT_HOOK_MS);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function called<C>(point: HookPoint, hook: (context: C) => unknown, context: C): Promise<unknown> {
  try {
    return await hook(context);
  } catch (cause) {
    throw failed(point, cause);
  }
}

function failed(point: HookPoint, cause: unknown): WorkerError {
  return new WorkerError("HookFailed", `A ${point} hook failed: ${messageOf(cause)}`, { cause });
}

const DECISIONS: { readonly [P in HookPoint]: readonly Decision<P>["action"][] } = {
  OnPromptSubmit: ["cancel"],
  PreLlmRequest: ["cancel"],
  PreToolCall: ["skip", "synthetic_result", "abort", "pause"],
  PostToolCall: ["abort"],
  OnTurnEnd: ["continue_with_messages", "paused"],
  OnAbort: [],
  OnTextDelta: ["pause", "abort"],
  OnThinkingDelta: ["pause", "abort"],
  OnToolCallDelta: ["pause", "abort"],
  OnStreamChunk: ["pause", "abort"],
  OnStreamComplete: ["pause", "abort"],
};

/** @throws {WorkerError} `HookFailed` for a word of another point: taken as "go on", it would let pass what it meant to stop */
function isDecision<P extends HookPoint>(point: P, answer: unknown): answer is Decision<P> {
  if (typeof answer !== "object" || answer === null || !("action" in answer)) return false;
  if (answer.action === "continue" || answer.action === "finish") return false;
  const known: readonly unknown[] = DECISIONS[point];
  if (known.includes(answer.action)) return true;
  const message = `A ${point} hook answered the action ${JSON.stringify(answer.action)}; it may answer ${["continue", ...known].join(", ")}.`;
  throw new WorkerError("HookFailed", message);
}
