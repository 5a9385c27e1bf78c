/** Calls that outlive their request. @see https://modelcontextprotocol.io/seps/2663-tasks-extension */
import type { InputRequest } from "@modelcontextprotocol/server";
import { type InputChannel, isResponseTo } from "./input.js";

/**
 * `optional`: a task for clients that know tasks, an ordinary call for others. `required`: others are refused.
 * `asked`: as `required`, but an ordinary call until the tool says `session.startTask()`.
 */
export type TaskSupport = "optional" | "required" | "asked";

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

export interface TaskOptions {
  /** How long a task is kept after its last change, in milliseconds; 10 minutes unless given. */
  readonly ttlMs?: number;
  /** How often clients are told to look, in milliseconds; 500 unless given. */
  readonly pollIntervalMs?: number;
  /** How many tasks are kept at once; 10,000 unless given. More are refused. */
  readonly maxTasks?: number;
}

/** How a task ended: the result of the call, or the JSON-RPC error. */
export type TaskEnd =
  | { readonly kind: "completed"; readonly result: object }
  | { readonly kind: "failed"; readonly error: { readonly code: number; readonly message: string } };

interface Waiting {
  readonly request: InputRequest;
  readonly answer: (response: unknown) => void;
  readonly refuse: (reason: unknown) => void;
}

export class Task implements InputChannel {
  readonly id: string;
  readonly owner: string | undefined;
  readonly createdAt = new Date();
  readonly #options: Required<TaskOptions>;
  readonly #abort = new AbortController();
  readonly #waiting = new Map<string, Waiting>();
  #lastUpdatedAt = this.createdAt;
  #end: TaskEnd | { readonly kind: "cancelled" } | undefined;

  constructor(id: string, owner: string | undefined, options: Required<TaskOptions>) {
    this.id = id;
    this.owner = owner;
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get status(): TaskStatus {
    if (this.#end !== undefined) return this.#end.kind;
    return this.#waiting.size > 0 ? "input_required" : "working";
  }

  /** True where the task's time is over; a running task has none. */
  isExpired(now: number): boolean {
    return this.#end !== undefined && now - this.#lastUpdatedAt.getTime() > this.#options.ttlMs;
  }

  ask(key: string, request: InputRequest): Promise<unknown> {
    return new Promise((answer, refuse) => {
      if (this.#abort.signal.aborted) return refuse(this.#abort.signal.reason);
      this.#waiting.set(key, { request, answer, refuse });
      this.#touch();
    });
  }

  /** Hands responses to who waits for them; others, and those of the wrong shape, are left aside. */
  update(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, response] of Object.entries(responses)) {
      const waiting = this.#waiting.get(key);
      if (waiting === undefined || !isResponseTo(waiting.request, response)) continue;
      this.#waiting.delete(key);
      waiting.answer(response);
      this.#touch();
    }
  }

  /** Ends the task; what a cancelled task still gives is dropped. */
  end(end: TaskEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#waiting.clear();
    this.#touch();
  }

  cancel(): void {
    if (this.#end !== undefined) return;
    this.#end = { kind: "cancelled" };
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#touch();
    this.#abort.abort(new Error("The task was cancelled."));
    for (const { refuse } of waiting) refuse(this.#abort.signal.reason);
  }

  /** What the call that made the task is answered with. */
  summary(): Record<string, unknown> {
    return {
      taskId: this.id,
      status: this.status,
      createdAt: this.createdAt.toISOString(),
      lastUpdatedAt: this.#lastUpdatedAt.toISOString(),
      ttlMs: this.#options.ttlMs,
      pollIntervalMs: this.#options.pollIntervalMs,
    };
  }

  /** The summary with what the task waits for, or how it ended. */
  details(): Record<string, unknown> {
    if (this.#end?.kind === "completed") return { ...this.summary(), result: this.#end.result };
    if (this.#end?.kind === "failed") return { ...this.summary(), error: this.#end.error };
    if (this.#waiting.size === 0) return this.summary();
    const requests = [...this.#waiting].map(([key, { request }]) => [key, request] as const);
    return { ...this.summary(), inputRequests: Object.fromEntries(requests) };
  }

  #touch(): void {
    this.#lastUpdatedAt = new Date();
  }
}

/** The tasks of one server, in memory. Expired ones go when the next one is made. */
export class TaskStore {
  readonly #tasks = new Map<string, Task>();
  readonly #options: Required<TaskOptions>;

  constructor(options: TaskOptions) {
    const { ttlMs = 600_000, pollIntervalMs = 500, maxTasks = 10_000 } = options;
    this.#options = { ttlMs, pollIntervalMs, maxTasks };
  }

  /** @throws {Error} where there are too many */
  create(owner: string | undefined): Task {
    const now = Date.now();
    for (const task of this.#tasks.values()) if (task.isExpired(now)) this.#tasks.delete(task.id);
    if (this.#tasks.size >= this.#options.maxTasks)
      throw new Error(`The server keeps ${this.#options.maxTasks} tasks already; try again later.`);
    const task = new Task(crypto.randomUUID(), owner, this.#options);
    this.#tasks.set(task.id, task);
    return task;
  }

  /** The caller's own task of this id. */
  get(id: string, owner: string | undefined): Task | undefined {
    const task = this.#tasks.get(id);
    if (task === undefined || task.owner !== owner || task.isExpired(Date.now())) return undefined;
    return task;
  }

  cancelAll(): void {
    for (const task of this.#tasks.values()) task.cancel();
  }
}
