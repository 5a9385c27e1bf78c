/** What a session is, apart from code. Changed by journal entries alone, so that a replay gives the same. */
import type { Item, LlmToolDefinition, RequestConfig, StopReason, Usage } from "@tsukumo/client";
import { SharedState } from "@tsukumo/tool";
import { messageOf, WorkerError } from "./errors.js";
import { deepFreeze, History } from "./history.js";
import type { JournalEntry } from "./journal.js";
import { checkSnapshot, SNAPSHOT_VERSION, type WorkerSnapshot } from "./snapshot.js";
import { addUsage } from "./usage.js";

export interface Lock {
  /** Items of the history that were there when the lock was taken. */
  readonly prefixLength: number;
  readonly tools: readonly LlmToolDefinition[];
}

export class SessionState {
  readonly conversationId: string;
  readonly history = new History();
  systemPrompt: string | undefined;
  config: RequestConfig = {};
  queued: readonly Item[] = [];
  lock: Lock | undefined;
  interrupted = false;
  /** Why the answer at the end of the history ended. */
  stopReason: StopReason | undefined;
  /** Calls whose outputs are left out of requests. */
  pruned: ReadonlySet<string> = new Set();
  turns = 0;
  usage: Usage = {};
  sharedState = new SharedState();

  constructor(conversationId: string) {
    this.conversationId = conversationId;
  }

  /** @throws {WorkerError} `InvalidSnapshot` */
  static restore(snapshot: WorkerSnapshot): SessionState {
    checkSnapshot(snapshot);
    const state = new SessionState(snapshot.conversationId);
    try {
      state.systemPrompt = snapshot.systemPrompt;
      state.config = snapshot.config;
      state.history.append(snapshot.history);
      for (const call of snapshot.calls) state.history.calls.set(call.callId, call.state);
      state.queued = snapshot.queued;
      // Frozen, like the tools of a worker that was never stored: a scheme encodes them once.
      state.lock = deepFreeze(structuredClone(snapshot.lock));
      state.interrupted = snapshot.interrupted;
      state.stopReason = snapshot.stopReason;
      state.pruned = new Set(snapshot.pruned);
      state.turns = snapshot.turns;
      state.usage = snapshot.usage;
      state.sharedState = new SharedState(snapshot.sharedState);
    } catch (cause) {
      throw new WorkerError("InvalidSnapshot", `The snapshot cannot be restored: ${messageOf(cause)}`, { cause });
    }
    return state;
  }

  snapshot(): WorkerSnapshot {
    return {
      version: SNAPSHOT_VERSION,
      conversationId: this.conversationId,
      ...(this.systemPrompt === undefined ? {} : { systemPrompt: this.systemPrompt }),
      config: this.config,
      history: [...this.history.items],
      calls: this.history.calls
        .pending()
        .filter(({ state }) => state.stage !== "open")
        .map(({ item, state }) => ({ callId: item.callId, state })),
      queued: this.queued,
      ...(this.lock === undefined ? {} : { lock: this.lock }),
      interrupted: this.interrupted,
      ...(this.stopReason === undefined ? {} : { stopReason: this.stopReason }),
      ...(this.pruned.size === 0 ? {} : { pruned: [...this.pruned] }),
      turns: this.turns,
      usage: this.usage,
      sharedState: this.sharedState.toJSON(),
    };
  }

  /** @throws {WorkerError} `InvalidHistory`; then nothing changed */
  apply(entry: Exclude<JournalEntry, { type: "session" }>): void {
    switch (entry.type) {
      case "queue":
        this.queued = [...this.queued, ...entry.items];
        break;
      case "items":
        this.history.append(entry.items);
        this.stopReason = undefined;
        if (entry.dequeued !== undefined) {
          this.queued = this.queued.slice(entry.dequeued);
          this.interrupted = false;
        }
        break;
      case "call":
        this.history.calls.set(entry.callId, entry.state);
        break;
      case "turn":
        this.history.append(entry.items);
        this.turns += 1;
        this.usage = addUsage(this.usage, entry.usage);
        this.interrupted = entry.interrupted ?? false;
        this.stopReason = entry.stopReason;
        break;
      case "prune":
        this.pruned = new Set([...this.pruned, ...entry.callIds]);
        break;
      case "shared_state":
        // In place: tools hold on to the object.
        this.sharedState.clear();
        for (const [key, value] of Object.entries(entry.values)) this.sharedState.set(key, value);
        break;
      case "system_prompt":
        this.systemPrompt = entry.text ?? undefined;
        break;
      case "config":
        this.config = entry.config;
        break;
      case "history":
        this.history.replace(entry.items);
        this.stopReason = undefined;
        this.interrupted = false;
        this.pruned = new Set();
        break;
      case "lock":
        this.lock = { prefixLength: this.history.length, tools: entry.tools };
        break;
      case "unlock":
        this.lock = undefined;
        break;
    }
  }
}
