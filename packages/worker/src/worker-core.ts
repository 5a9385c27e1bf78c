/** The worker without its types: one run at a time, and the changes that its state allows. */
import type { Item, LlmClient, MessageItem, RequestConfig } from "@tsukumo/client";
import { ToolContext, type ToolDefinition } from "@tsukumo/tool";
import { Cancellation } from "./cancellation.js";
import { WorkerError } from "./errors.js";
import { HookRegistry } from "./hooks/registry.js";
import type { HookPoint, Hooks } from "./hooks/types.js";
import type { ResumeOptions, RunOptions } from "./options.js";
import { Projection } from "./projection.js";
import { execute } from "./run.js";
import type { CallDecisions, Run, WorkerParts } from "./run-context.js";
import type { RunResult } from "./run-result.js";
import { Session } from "./session.js";
import type { SessionState } from "./session-state.js";
import { Subscribers } from "./subscribers.js";
import { ToolServer, tableOf } from "./tool-server.js";

export class WorkerCore {
  readonly parts: WorkerParts;
  readonly server: ToolServer;
  readonly #options: ResumeOptions;
  #running: Cancellation | undefined;
  /** The config that the client has seen; validated again when it changes. */
  #validated: RequestConfig | undefined;

  constructor(client: LlmClient, state: SessionState, options: ResumeOptions) {
    this.#options = options;
    this.server = options.toolServer ?? new ToolServer();
    const subscribers = new Subscribers(options.onWarning);
    this.parts = {
      client,
      session: new Session(state, options.journal, (items) => subscribers.tell("onHistoryAppend", items)),
      tools: tableOf(this.server),
      hooks: new HookRegistry(),
      subscribers,
      projection: new Projection(options.prune, state.lock === undefined ? 0 : state.history.length),
      limits: options,
      context: contextFor(state, options.context),
      telemetry: options.telemetry,
    };
    if (options.tools !== undefined) this.parts.tools.register(options.tools);
    if (options.hooks !== undefined) addHooks(this.parts.hooks, options.hooks);
  }

  get state(): SessionState {
    return this.parts.session.state;
  }

  /** @throws {WorkerError} `WrongState` while locked, `Busy` while running */
  requireMutable(what: string): void {
    if (this.state.lock !== undefined) {
      throw new WorkerError("WrongState", `${what} would change what the lock protects. Call unlock() first.`);
    }
    this.#requireIdle(what);
  }

  registerTools(definitions: Iterable<ToolDefinition>): void {
    this.requireMutable("Registering tools");
    this.parts.tools.register(definitions);
  }

  setSystemPrompt(text: string | undefined): void {
    this.requireMutable("Setting the system prompt");
    this.parts.session.commitNow({ type: "system_prompt", text: text ?? null });
  }

  setConfig(config: RequestConfig): void {
    this.requireMutable("Setting the config");
    this.parts.session.commitNow({ type: "config", config });
  }

  /** Sampling is no part of what providers cache. */
  setSampling(sampling: Sampling): void {
    this.#requireIdle("Setting the sampling");
    this.parts.session.commitNow({ type: "config", config: { ...this.state.config, ...sampling } });
  }

  setHistory(items: readonly Item[]): void {
    this.requireMutable("Replacing the history");
    this.parts.session.commitNow({ type: "history", items });
  }

  addHook<P extends HookPoint>(point: P, hook: Hooks[P]): () => void {
    this.requireMutable("Adding a hook");
    return this.parts.hooks.add(point, hook);
  }

  lock(): void {
    this.requireMutable("Locking again");
    this.parts.session.commitNow({ type: "lock", tools: this.parts.tools.sorted() });
    this.parts.projection.sent(this.state);
  }

  unlock(): void {
    if (this.state.lock === undefined) throw new WorkerError("WrongState", "The worker is not locked.");
    this.#requireIdle("Unlocking");
    this.parts.session.commitNow({ type: "unlock" });
    this.parts.projection.sent(this.state);
  }

  /** @throws {WorkerError} `ConfigRejected` in strict mode */
  validate(): void {
    const { config } = this.state;
    if (config === this.#validated) return;
    const warnings = this.parts.client.validate(config);
    if (warnings.length > 0 && this.#options.strictConfig === true) {
      const list = warnings.map(({ option, message }) => `${option}: ${message}`).join("; ");
      throw new WorkerError("ConfigRejected", `The provider does not support: ${list}`, { cause: warnings });
    }
    this.#validated = config;
    for (const { option, message } of warnings) this.parts.subscribers.warn({ code: "config", message, option });
  }

  async run(input: MessageItem | undefined, decisions: CallDecisions, options: RunOptions): Promise<RunResult> {
    this.#requireIdle("Another run");
    const cancellation = new Cancellation(options.signal);
    // Before the warnings are told: a listener that starts a run must find this one.
    this.#running = cancellation;
    const run: Run = {
      ...this.parts,
      cancellation,
      decisions,
      maxTurns: options.maxTurns ?? this.parts.limits.maxTurns ?? Number.POSITIVE_INFINITY,
      turns: 0,
      usage: {},
      span: undefined,
    };
    try {
      this.validate();
      return await execute(run, input);
    } finally {
      cancellation.dispose();
      this.#running = undefined;
    }
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** True where there was a run to cancel. */
  cancel(reason?: string): boolean {
    if (this.#running === undefined) return false;
    this.#running.cancel(reason);
    return true;
  }

  #requireIdle(what: string): void {
    if (this.#running === undefined) return;
    throw new WorkerError("Busy", `${what} must wait until the run is over. Await it, or cancel() it.`);
  }
}

export type Sampling = Pick<RequestConfig, "maxTokens" | "temperature" | "topP" | "topK" | "stopSequences">;

/** The session's shared state, in the caller's context where there is one. */
function contextFor(state: SessionState, given: ToolContext | undefined): ToolContext {
  const context = given ?? new ToolContext();
  for (const [key, value] of Object.entries(context.state.toJSON())) {
    if (!state.sharedState.has(key)) state.sharedState.set(key, value);
  }
  return context.with({ state: state.sharedState, conversationId: state.conversationId });
}

function addHooks(registry: HookRegistry, hooks: NonNullable<ResumeOptions["hooks"]>): void {
  const add = <P extends HookPoint>(point: P): void => {
    const hook: Hooks[P] | undefined = hooks[point];
    if (hook !== undefined) registry.add(point, hook);
  };
  for (const point of registry.points()) add(point);
}
