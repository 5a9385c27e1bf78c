/** Several calls at once: as many results as calls, in their order, whatever happens to each. */
import { extensionToken, ToolContext } from "./context.js";
import { ToolError } from "./error.js";
import type { ToolMeta } from "./meta.js";
import type { ToolOutput } from "./output.js";

/**
 * `parallel` runs all at once and blocks destructive tools that nobody confirmed; `parallel_allow_destructive` is
 * itself the permission; `sequential_stop_on_error` runs one after the other, blocks like `parallel`, and runs nothing
 * after the first call that did not end well.
 */
export type BatchMode = "parallel" | "parallel_allow_destructive" | "sequential_stop_on_error";

export interface BatchCall {
  /** The provider's id of the call. */
  readonly id?: string;
  readonly name: string;
  /** JSON text or a value; absent means none. */
  readonly arguments?: unknown;
}

/** A destructive call that waits for a yes. */
export interface Confirmation {
  readonly call: BatchCall;
  /** The call's place in its batch, from 0. */
  readonly index: number;
  readonly meta: ToolMeta;
  readonly context: ToolContext;
}

export interface BatchOptions {
  /** `parallel` unless given. */
  readonly mode?: BatchMode;
  readonly context?: ToolContext;
  /**
   * Asked before each destructive call, in every mode, one question at a time; anything but true blocks the call. A
   * throw blocks it too.
   */
  readonly confirm?: (confirmation: Confirmation) => boolean | Promise<boolean>;
  /** How many calls may run at once in the parallel modes; all unless given. */
  readonly concurrency?: number;
  /** Ends the batch; beside the context's own signal. */
  readonly signal?: AbortSignal;
  /** What tools see as their batch's id; random unless given. */
  readonly batchId?: string;
}

interface Outcome {
  readonly id: string | undefined;
  readonly name: string;
}

/**
 * `failed`: the tool was called; `blocked`: destructive, and nobody allowed it; `skipped`: never started; `aborted`:
 * started and given up, so it may or may not have taken effect.
 */
export type BatchOutcome =
  | (Outcome & { readonly status: "done"; readonly output: ToolOutput })
  | (Outcome & { readonly status: "failed" | "blocked" | "skipped" | "aborted"; readonly error: ToolError });

/** What a batch needs of a registry. */
export interface BatchTarget {
  definition(name: string): ToolMeta | undefined;
  dispatch(name: string, args: unknown, context: ToolContext): Promise<ToolOutput>;
}

/** Set to true on a context, it allows destructive calls in the batches of all contexts that share its extensions. */
export const ALLOW_DESTRUCTIVE = extensionToken<boolean>("allow destructive tools in batches");

/**
 * Runs the calls. Never rejects for what a tool does.
 * @throws {RangeError} where the concurrency is not a whole number from 1 or Infinity
 */
export async function runBatch(
  target: BatchTarget,
  calls: readonly BatchCall[],
  options: BatchOptions = {},
): Promise<BatchOutcome[]> {
  const mode = options.mode ?? "parallel";
  const concurrency = concurrencyOf(mode, options.concurrency);
  const context = batchContext(options);
  const batch = new Batch(target, mode, context, options.confirm, options.batchId ?? randomId());
  const outcomes: BatchOutcome[] = new Array(calls.length);
  const queue = calls.entries();
  let stopped = false;
  const worker = async (): Promise<void> => {
    // All workers draw from one iterator, so every call is drawn once.
    for (const [index, call] of queue) {
      const outcome = stopped
        ? skipped(call, "an earlier call of the batch did not succeed")
        : await batch.run(call, index);
      outcomes[index] = outcome;
      if (mode === "sequential_stop_on_error" && outcome.status !== "done") stopped = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, calls.length) }, worker));
  return outcomes;
}

function concurrencyOf(mode: BatchMode, given: number | undefined): number {
  if (given !== undefined && given !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(given) && given >= 1))
    throw new RangeError(`concurrency must be a whole number from 1 or Infinity, not ${given}.`);
  switch (mode) {
    case "parallel":
    case "parallel_allow_destructive":
      return given ?? Number.POSITIVE_INFINITY;
    case "sequential_stop_on_error":
      return 1;
  }
}

function batchContext({ context = new ToolContext(), signal }: BatchOptions): ToolContext {
  return signal === undefined ? context : context.with({ signal: AbortSignal.any([context.signal, signal]) });
}

class Batch {
  readonly #target: BatchTarget;
  readonly #mode: BatchMode;
  readonly #context: ToolContext;
  readonly #confirm: BatchOptions["confirm"];
  readonly #batchId: string;
  /** The last question's answer: the next question waits for it. */
  #asked: Promise<unknown> = Promise.resolve();

  constructor(
    target: BatchTarget,
    mode: BatchMode,
    context: ToolContext,
    confirm: BatchOptions["confirm"],
    batchId: string,
  ) {
    this.#target = target;
    this.#mode = mode;
    this.#context = context;
    this.#confirm = confirm;
    this.#batchId = batchId;
  }

  async run(call: BatchCall, index: number): Promise<BatchOutcome> {
    const context = this.#context.with({ call: { callId: call.id ?? "", batchId: this.#batchId, index } });
    const meta = this.#target.definition(call.name);
    if (meta?.effect === "destructive") {
      const refusal = await untilAborted(context.signal, this.#refusal({ call, index, meta, context }));
      if (refusal === ABORTED) return skipped(call, "the batch was cancelled");
      if (refusal !== undefined) return { id: call.id, name: call.name, status: "blocked", error: refusal };
    }
    if (context.signal.aborted) return skipped(call, "the batch was cancelled");
    const running = this.#execute(call, context);
    const outcome = await untilAborted(context.signal, running);
    return outcome === ABORTED ? aborted(call) : outcome;
  }

  async #execute(call: BatchCall, context: ToolContext): Promise<BatchOutcome> {
    try {
      const output = await this.#target.dispatch(call.name, call.arguments, context);
      return { id: call.id, name: call.name, status: "done", output };
    } catch (thrown) {
      return { id: call.id, name: call.name, status: "failed", error: ToolError.from(thrown) };
    }
  }

  /** Why a destructive call may not run; undefined where it may. */
  async #refusal(confirmation: Confirmation): Promise<ToolError | undefined> {
    if (this.#confirm === undefined) return this.#allowed() ? undefined : blocked(confirmation.call.name);
    const confirm = this.#confirm;
    const answer = this.#asked.then(() => (this.#context.signal.aborted ? false : confirm(confirmation)));
    this.#asked = answer.catch(() => undefined);
    try {
      return (await answer) === true ? undefined : blocked(confirmation.call.name);
    } catch (cause) {
      return blocked(confirmation.call.name, cause);
    }
  }

  #allowed(): boolean {
    return this.#mode === "parallel_allow_destructive" || this.#context.extension(ALLOW_DESTRUCTIVE, false);
  }
}

const ABORTED = Symbol("aborted");

/** The promise's value, or ABORTED as soon as the signal says so: a tool that does not listen holds nobody up. */
async function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T | typeof ABORTED> {
  if (signal.aborted) return ABORTED;
  let stop: () => void = () => {};
  const abort = new Promise<typeof ABORTED>((resolve) => {
    stop = () => resolve(ABORTED);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, abort]);
  } finally {
    // A context's signal may live as long as the conversation.
    signal.removeEventListener("abort", stop);
  }
}

function blocked(name: string, cause?: unknown): ToolError {
  return new ToolError(
    "ExecutionFailed",
    `The tool ${JSON.stringify(name)} is destructive and was not run, because nobody confirmed it.`,
    { ...(cause === undefined ? {} : { cause }), metadata: { error_kind: "destructive_blocked" } },
  );
}

function skipped(call: BatchCall, reason: string): BatchOutcome {
  const error = new ToolError("ExecutionFailed", `This call was not run: ${reason}.`, {
    metadata: { error_kind: "not_run" },
  });
  return { id: call.id, name: call.name, status: "skipped", error };
}

function aborted(call: BatchCall): BatchOutcome {
  const message = "This call was cancelled while it ran; it may or may not have taken effect.";
  const error = new ToolError("ExecutionFailed", message, { metadata: { error_kind: "aborted" } });
  return { id: call.id, name: call.name, status: "aborted", error };
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
