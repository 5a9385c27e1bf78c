/**
 * The worker: a conversation with a model that calls tools. Its state is part of its type: what `lock()` forbids does not
 * compile on a `Worker<CacheLocked>`, and throws where it is forced.
 */
import {
  type Item,
  type LlmClient,
  type MessageItem,
  type RequestConfig,
  type Usage,
  userMessage,
} from "@tsukumo/client";
import type { ToolDefinition } from "@tsukumo/tool";
import { WorkerError } from "./errors.js";
import type { HookPoint, Hooks } from "./hooks/types.js";
import type { ResumeOptions, RunOptions, WorkerOptions } from "./options.js";
import type { CallDecisions } from "./run-context.js";
import type { RunResult } from "./run-result.js";
import { SessionState } from "./session-state.js";
import type { WorkerSnapshot } from "./snapshot.js";
import type { CacheLocked, Mutable, WorkerState } from "./state.js";
import type { WorkerSubscriber } from "./subscriber.js";
import type { Timeline } from "./timeline/timeline.js";
import type { ToolServerHandle } from "./tool-server.js";
import { type Sampling, WorkerCore } from "./worker-core.js";
import { WorkerStream } from "./worker-stream.js";

export class Worker<S extends WorkerState = Mutable> {
  /** The state that this reference was made for. */
  readonly state: S;
  readonly #core: WorkerCore;

  private constructor(core: WorkerCore, state: S) {
    this.#core = core;
    this.state = state;
  }

  /**
   * A worker with a new conversation.
   * @throws {ToolServerError} `DuplicateName`
   * @throws {WorkerError} `InvalidHistory`
   */
  static create(client: LlmClient, options: WorkerOptions = {}): Worker<Mutable> {
    const state = new SessionState(options.conversationId ?? crypto.randomUUID());
    state.systemPrompt = options.systemPrompt;
    state.config = options.config ?? {};
    state.history.append(options.history ?? []);
    return new Worker(new WorkerCore(client, state, options), "mutable");
  }

  /**
   * A worker that goes on where a snapshot was taken; `resume()` then does what was left to do. Locked where the snapshot
   * was: narrow it by its `state`.
   * @throws {WorkerError} `InvalidSnapshot`; `CachePrefixChanged` where a locked session's tools are not the same
   */
  static resume(
    client: LlmClient,
    snapshot: WorkerSnapshot,
    options: ResumeOptions = {},
  ): Worker<Mutable> | Worker<CacheLocked> {
    const state = SessionState.restore(snapshot);
    const core = new WorkerCore(client, state, options);
    if (state.lock === undefined) return new Worker(core, "mutable");
    if (JSON.stringify(state.lock.tools) !== JSON.stringify(core.parts.tools.sorted())) {
      throw new WorkerError(
        "CachePrefixChanged",
        "The session is locked and its tools have changed since. Give the same tools, or resume without the snapshot's lock.",
      );
    }
    return new Worker(core, "cache_locked");
  }

  /** The conversation: the live list, which grows as the worker runs. Its items are frozen. */
  get history(): readonly Item[] {
    return this.#core.state.history.items;
  }

  get systemPrompt(): string | undefined {
    return this.#core.state.systemPrompt;
  }

  get config(): RequestConfig {
    return this.#core.state.config;
  }

  get conversationId(): string {
    return this.#core.state.conversationId;
  }

  /** Of all requests since the conversation began. */
  get usage(): Usage {
    return this.#core.state.usage;
  }

  /** Requests that were answered since the conversation began. */
  get turnCount(): number {
    return this.#core.state.turns;
  }

  get running(): boolean {
    return this.#core.running;
  }

  /** Items of the history that the lock protects from the start; 0 while mutable. */
  get lockedPrefixLength(): number {
    return this.#core.state.lock?.prefixLength ?? 0;
  }

  /** Reads and calls tools; registers none. */
  toolServerHandle(): ToolServerHandle {
    return this.#core.server.handle();
  }

  /** For handlers of your own kinds. Registering and removing is allowed at any time. */
  get timeline(): Timeline {
    return this.#core.parts.subscribers.timeline;
  }

  /** Gives a function that ends the subscription. */
  subscribe<T = undefined>(subscriber: WorkerSubscriber<T>): () => void {
    return this.#core.parts.subscribers.add(subscriber);
  }

  /**
   * Sends the input and runs until the model calls no more tools. Calls that wait (after a pause) are run first.
   * @throws {WorkerError} with the history in a state that can be sent again; `Busy` while another run goes on
   */
  run(input: string | MessageItem, options: RunOptions = {}): Promise<RunResult> {
    return this.#core.run(messageOf(input), {}, options);
  }

  /**
   * Goes on without new input: runs the calls that wait, continues an answer that broke off, or asks again after an error.
   * @param options.decisions what to do with waiting calls, by call id, in the place of their PreToolCall hooks
   * @throws {WorkerError} as `run` does
   */
  resume(options: RunOptions & { readonly decisions?: CallDecisions } = {}): Promise<RunResult> {
    return this.#core.run(undefined, options.decisions ?? {}, options);
  }

  /**
   * The same run, as an async iterator of what happens, with the result as `result`. Events wait in memory for a slow
   * consumer: the run does not. Leaving the iteration early cancels the run. Without input it is `resume`.
   * @param options.decisions as for `resume`
   */
  stream(
    input?: string | MessageItem,
    options: RunOptions & { readonly decisions?: CallDecisions } = {},
  ): WorkerStream {
    return new WorkerStream(
      this.#core.parts.subscribers,
      () => this.#core.run(input === undefined ? undefined : messageOf(input), options.decisions ?? {}, options),
      (reason) => this.#core.cancel(reason),
    );
  }

  /** Ends the run at its next await. False where nothing runs. */
  cancel(reason?: string): boolean {
    return this.#core.cancel(reason);
  }

  /** The session as plain JSON, at any moment, also while a run goes on. */
  snapshot(): WorkerSnapshot {
    return this.#core.state.snapshot();
  }

  /** Changes what providers do not cache. @throws {WorkerError} `Busy` */
  setSampling(sampling: Sampling): void {
    this.#core.setSampling(sampling);
  }

  /** Tells options that the provider does not support to `onWarning`. @throws {WorkerError} `ConfigRejected` in strict mode */
  validate(): void {
    this.#core.validate();
  }

  /** undefined takes the prompt away. */
  setSystemPrompt(this: Worker<Mutable>, text: string | undefined): void {
    this.#core.setSystemPrompt(text);
  }

  setConfig(this: Worker<Mutable>, config: RequestConfig): void {
    this.#core.setConfig(config);
  }

  /** Replaces the history. @throws {WorkerError} `InvalidHistory`; then the old one stays */
  setHistory(this: Worker<Mutable>, items: readonly Item[]): void {
    this.#core.setHistory(items);
  }

  /** @throws {ToolServerError} `DuplicateName` */
  registerTool(this: Worker<Mutable>, definition: ToolDefinition): void {
    this.#core.registerTools([definition]);
  }

  /** All or none. @throws {ToolServerError} `DuplicateName` */
  registerTools(this: Worker<Mutable>, definitions: Iterable<ToolDefinition>): void {
    this.#core.registerTools(definitions);
  }

  /** Registers a tool in the place of one of the same name, or as a new one. */
  replaceTool(this: Worker<Mutable>, definition: ToolDefinition): void {
    this.#core.requireMutable("Replacing a tool");
    this.#core.parts.tools.replace(definition);
  }

  /** True where there was one. */
  unregisterTool(this: Worker<Mutable>, name: string): boolean {
    this.#core.requireMutable("Unregistering a tool");
    return this.#core.parts.tools.remove(name);
  }

  /** Hooks of a point run in the order of registration. Gives a function that takes the hook away again. */
  addHook<P extends HookPoint>(this: Worker<Mutable>, point: P, hook: Hooks[P]): () => void {
    return this.#core.addHook(point, hook);
  }

  /**
   * From now on, every request repeats the bytes of the one before: system prompt, tools and history only grow. Use the
   * worker that is returned; this one then refuses what the lock forbids.
   */
  lock(this: Worker<Mutable>): Worker<CacheLocked> {
    this.#core.lock();
    return new Worker(this.#core, "cache_locked");
  }

  unlock(this: Worker<CacheLocked>): Worker<Mutable> {
    this.#core.unlock();
    return new Worker(this.#core, "mutable");
  }
}

function messageOf(input: string | MessageItem): MessageItem {
  return typeof input === "string" ? userMessage(input) : input;
}
