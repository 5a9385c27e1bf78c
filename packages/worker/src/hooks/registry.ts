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
    return () => {
      const at = list.indexOf(hook);
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
      if (isDecision<P>(answer)) return answer;
    }
    return undefined;
  }

  /** Tells the OnAbort hooks, whatever one of them does. */
  async tellAbort(context: AbortContext, onFailure: (error: WorkerError) => void): Promise<void> {
    for (const hook of [...this.#lists.OnAbort]) {
      try {
        await hook(context);
      } catch (cause) {
        onFailure(failed("OnAbort", cause));
      }
    }
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

/** The type of a hook promises its answers; what is left to tell apart is going on and deciding. */
function isDecision<P extends HookPoint>(answer: unknown): answer is Decision<P> {
  if (typeof answer !== "object" || answer === null || !("action" in answer)) return false;
  return answer.action !== "continue" && answer.action !== "finish";
}
