/**
 * Random sessions: responses that end well or break, hooks that decide anything, tools that fail or hang, cancellations,
 * restarts, and crashes after any journal entry. After each step the session must be one that can go on.
 */
import { type Event, type Item, type Request, type StreamOptions, schemes, userMessage } from "@tsukumo/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CacheLocked,
  type JournalEntry,
  type Mutable,
  type RunResult,
  replayJournal,
  Worker,
  WorkerError,
  type WorkerOptions,
} from "../src/index.js";
import { addUsage } from "../src/usage.js";
import { BrokenStream, call, cut, ScriptedClient, type Turn, text, thinking } from "./scripted.js";
import { tool } from "./tools.js";

/** Mostly the first, so that a session gets somewhere; sometimes one of the others. */
function mostly<T extends string>(usual: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 3 * others.length, arbitrary: fc.constant(usual) },
    ...others.map((other) => fc.constant(other)),
  );
}

const callSpec = fc.record({
  kind: fc.constant("call" as const),
  id: fc.constantFrom("a", "b", "call_t", ""),
  name: mostly("ok", "look", "fails", "hangs", "nope"),
  args: mostly("{}", '{"n":1}', "", "null", '{"cut":'),
});

const blockSpec = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: "text" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "thinking" as const }) },
  { weight: 3, arbitrary: callSpec },
);

const responseSpec = fc.record({
  blocks: fc.array(blockSpec, { maxLength: 4, size: "max" }),
  ending: mostly("whole", "max_tokens", "cut", "error", "hang", "refused"),
  /** Where it breaks off, in events. */
  at: fc.integer({ min: 0, max: 12 }),
});

const hookSpec = fc.record({
  pre: mostly("go", "skip", "synthetic", "abort", "pause", "throw", "change"),
  post: mostly("go", "change", "abort", "throw"),
  end: mostly("go", "more", "pause"),
  stream: mostly("go", "abort", "pause"),
  submit: mostly("go", "cancel"),
});

const stepSpec = fc.record({
  kind: fc.constantFrom("run", "run", "run", "resume", "crash", "crash", "crash", "restart", "lock", "unlock"),
  responses: fc.array(responseSpec, { minLength: 1, maxLength: 4, size: "max" }),
  hooks: fc.array(hookSpec, { minLength: 1, maxLength: 6, size: "max" }),
  /** Cancels when so many things have happened. */
  cancelAfter: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined, freq: 3 }),
  maxTurns: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 3 }),
  /** A crash keeps so many of the entries that the step wrote. */
  kept: fc.integer({ min: 0, max: 20 }),
});
type Step = typeof stepSpec extends fc.Arbitrary<infer T> ? T : never;
type ResponseSpec = Step["responses"][number];

describe("a random session", () => {
  it("can always go on: one result a call, nothing lost, nothing twice", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepSpec, { minLength: 1, maxLength: 8, size: "max" }), async (steps) => {
        const model = new Model();
        for (const step of steps) await model.take(step);
      }),
      { numRuns: Number(process.env.TSUKUMO_PROPERTY_RUNS ?? 400) },
    );
  });
});

class Model {
  readonly #client = new ScriptedClient();
  readonly #entries: JournalEntry[] = [];
  /** Runs of tools that may not run twice, by call id, with the journal's length when they began. */
  #effects: { readonly callId: string; readonly entries: number }[] = [];
  /** Inputs that were accepted, in order. */
  #inputs: string[] = [];
  #usage = {};
  #cancelled = false;
  #worker: Worker<Mutable> | Worker<CacheLocked>;
  #step: Step | undefined;
  #happened = 0;
  #hook = 0;
  /** What a provider can cache of each request since the lock, with the journal's length when it was sent. */
  #lockedRequests: { readonly prefix: string; readonly entries: number }[] | undefined;

  constructor() {
    this.#worker = Worker.create(this.#client, { conversationId: "c", systemPrompt: "p", ...this.#code() });
  }

  async take(step: Step): Promise<void> {
    this.#step = step;
    this.#happened = 0;
    this.#hook = 0;
    const written = this.#entries.length;
    switch (step.kind) {
      case "run":
      case "resume":
      case "crash":
        await this.#run(step);
        if (step.kind === "crash") this.#crash(Math.min(this.#entries.length, written + step.kept));
        break;
      case "restart":
        this.#restart();
        break;
      case "lock":
        if (this.#worker.state === "mutable") {
          this.#worker = this.#worker.lock();
          this.#lockedRequests = [];
        }
        break;
      case "unlock":
        if (this.#worker.state === "cache_locked") {
          this.#worker = this.#worker.unlock();
          this.#lockedRequests = undefined;
        }
        break;
    }
    this.#check();
  }

  async #run(step: Step): Promise<void> {
    for (const spec of step.responses) this.#client.add(this.#turn(spec));
    const { maxTurns } = step;
    const options = maxTurns === undefined ? {} : { maxTurns };
    const input = `input ${this.#inputs.length}`;
    let result: RunResult | undefined;
    let error: WorkerError | undefined;
    try {
      result = await (step.kind === "resume" ? this.#worker.resume(options) : this.#worker.run(input, options));
    } catch (thrown) {
      if (!(thrown instanceof WorkerError)) throw thrown;
      error = thrown;
    }
    expect(error?.code).not.toBe("Internal");
    this.#client.clear();
    if (step.kind !== "resume" && this.#submitted()) this.#inputs.push(input);
    if (error?.code === "Cancelled") this.#cancelled = true;
    if (result?.status !== "paused") expect(open(this.#worker.history)).toEqual([]);
  }

  /** Whether the input of this step entered the session: it may have been cancelled before. */
  #submitted(): boolean {
    const { history, queued } = this.#worker.snapshot();
    return texts([...history, ...queued]).length > this.#inputs.length;
  }

  /** What a process that dies after `length` entries leaves. */
  #crash(length: number): void {
    if (length === 0) return;
    this.#entries.length = length;
    this.#effects = this.#effects.filter(({ entries }) => entries <= length);
    const snapshot = replayJournal(this.#entries);
    this.#inputs = texts([...snapshot.history, ...snapshot.queued]);
    this.#usage = snapshot.usage;
    const stillSent = this.#lockedRequests?.filter(({ entries }) => entries <= length) ?? [];
    this.#lockedRequests = snapshot.lock === undefined ? undefined : stillSent;
    this.#worker = Worker.resume(this.#client, snapshot, this.#code());
  }

  #restart(): void {
    const saved: unknown = JSON.parse(JSON.stringify(this.#worker.snapshot()));
    this.#worker = Worker.resume(this.#client, Object(saved), this.#code());
  }

  #check(): void {
    const { history } = this.#worker;
    const snapshot = this.#worker.snapshot();
    const calls = history.flatMap((item) => (item.type === "function_call" ? [item.callId] : []));
    const outputs = history.flatMap((item) => (item.type === "function_call_output" ? [item.callId] : []));
    expect(new Set(calls).size).toBe(calls.length);
    expect([...outputs, ...open(history)]).toEqual(calls);
    expect(texts([...history, ...snapshot.queued])).toEqual(this.#inputs);
    const ran = this.#effects.map(({ callId }) => callId);
    expect(new Set(ran).size).toBe(ran.length);
    if (!this.#cancelled) expect(snapshot.usage).toEqual(this.#usage);
    expect(this.#client.openStreams).toBe(0);
    expect(this.#worker.running).toBe(false);
    if (this.#entries.length > 0) expect(replayJournal(this.#entries)).toEqual(snapshot);
    for (const [at, request] of (this.#lockedRequests ?? []).entries()) {
      const next = this.#lockedRequests?.[at + 1];
      if (next !== undefined) expect(next.prefix.startsWith(request.prefix)).toBe(true);
    }
    if (snapshot.history.length > 0 && open(history).length === 0) expectSendable(history);
  }

  #code(): Pick<WorkerOptions, "tools" | "journal" | "hooks" | "maxContinuations"> {
    return {
      maxContinuations: 1,
      journal: {
        append: (entry) => {
          this.#entries.push(JSON.parse(JSON.stringify(entry)));
        },
      },
      tools: [
        tool("ok", (_, context) => this.#effect(context.call?.callId, "done")),
        tool("fails", (_, context) => {
          this.#effect(context.call?.callId, "");
          throw new Error("failed");
        }),
        tool("hangs", async (_, context) => {
          this.#effect(context.call?.callId, "");
          await this.#abort(context.signal);
        }),
        tool("look", () => this.#happen("seen"), "read_only"),
      ],
      hooks: {
        OnPromptSubmit: () => (this.#next("submit") === "cancel" ? { action: "cancel", reason: "no" } : undefined),
        PreToolCall: (context) => {
          const decision = this.#next("pre");
          if (decision === "throw") throw new Error("hook");
          if (decision === "change") context.call = { ...context.call, arguments: '{"changed":true}' };
          if (decision === "skip" || decision === "pause") return { action: decision };
          if (decision === "synthetic") return { action: "synthetic_result", content: "synthetic" };
          return decision === "abort" ? { action: "abort", reason: "no" } : undefined;
        },
        PostToolCall: (context) => {
          const decision = this.#next("post");
          if (decision === "throw") throw new Error("hook");
          if (decision === "change") context.result = { content: "changed", isError: false };
          return decision === "abort" ? { action: "abort", reason: "no" } : undefined;
        },
        OnTurnEnd: () => {
          const decision = this.#next("end");
          if (decision === "more") return { action: "continue_with_messages", messages: [userMessage("more")] };
          return decision === "pause" ? { action: "paused" } : undefined;
        },
        OnTextDelta: () => {
          const decision = this.#next("stream");
          if (decision === "pause") return { action: "pause" };
          return decision === "abort" ? { action: "abort", reason: "no" } : undefined;
        },
      },
    };
  }

  #sent({ systemPrompt, tools, items }: Request): void {
    // The request that asks for the rest of an answer ends with a message that no history holds.
    const kept = items.filter((item) => !JSON.stringify(item).includes("was interrupted"));
    const prefix = JSON.stringify([systemPrompt, tools, kept]).slice(0, -2);
    this.#lockedRequests?.push({ prefix, entries: this.#entries.length });
  }

  #next<P extends keyof Step["hooks"][number]>(point: P): Step["hooks"][number][P] | undefined {
    this.#happen(undefined);
    const hooks = this.#step?.hooks ?? [];
    return hooks[this.#hook++ % hooks.length]?.[point];
  }

  #effect(callId: string | undefined, result: string): string {
    this.#effects.push({ callId: callId ?? "", entries: this.#entries.length });
    return this.#happen(result);
  }

  #happen<T>(value: T): T {
    this.#happened += 1;
    if (this.#happened === this.#step?.cancelAfter) this.#worker.cancel("property");
    return value;
  }

  /** Waits for the signal, and cancels where nobody else will. */
  #abort(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
      queueMicrotask(() => this.#worker.cancel("hangs"));
    });
  }

  #turn({ blocks, ending, at }: ResponseSpec): Turn {
    const last =
      ending === "max_tokens" ? "max_tokens" : blocks.some(({ kind }) => kind === "call") ? "tool_use" : "end_turn";
    const events = blocks.flatMap((block, index): Event[] => {
      const stopReason = index === blocks.length - 1 ? last : undefined;
      if (block.kind === "call") return call(block.id, block.name, block.args, index, stopReason);
      return block.kind === "text" ? text(`text ${index} end`, last, index) : thinking("hm", index);
    });
    const usage: Event = { type: "usage", usage: { inputTokens: 3, outputTokens: 2 } };
    const shown = events.slice(0, at);
    const model = this;
    if (ending === "refused") return cut([], Object.assign(new Error("refused"), { code: "http" }));
    return async function* (request: Request, { signal }: StreamOptions) {
      model.#sent(request);
      yield [usage];
      model.#usage = addUsage(model.#usage, usage.type === "usage" ? usage.usage : {});
      for (const event of ending === "whole" || ending === "max_tokens" ? events : shown) {
        model.#happen(undefined);
        yield [event];
      }
      if (ending === "cut") throw new BrokenStream("cut");
      if (ending === "error") yield [{ type: "error" as const, message: "overloaded" }];
      if (ending === "hang" && signal !== undefined) await model.#abort(signal);
    };
  }
}

/** The calls that no output follows, in order. */
function open(history: readonly Item[]): string[] {
  const waiting = new Set<string>();
  for (const item of history) {
    if (item.type === "function_call") waiting.add(item.callId);
    if (item.type === "function_call_output") waiting.delete(item.callId);
  }
  return [...waiting];
}

function texts(items: readonly Item[]): string[] {
  return items.flatMap((item) =>
    item.type === "message" && item.content[0]?.type === "input_text" && item.content[0].text.startsWith("input")
      ? [item.content[0].text]
      : [],
  );
}

/** What providers check before they read on. */
function expectSendable(history: readonly Item[]): void {
  const request = { items: [...history], tools: [], config: {} };
  const encoded = <T>(scheme: keyof typeof schemes): T => JSON.parse(schemes[scheme].encode(request, { model: "m" }));

  type Blocks = { type: string; id?: string; tool_use_id?: string }[];
  const anthropic = encoded<{ messages: { role: string; content: Blocks }[] }>("anthropic").messages;
  for (const [at, { role, content }] of anthropic.entries()) {
    expect(role).toBe(at % 2 === 0 ? "user" : "assistant");
    const ids = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    const next = anthropic[at + 1]?.content ?? [];
    const answers = next.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
    expect(answers).toEqual(ids);
  }

  const gemini = encoded<{ contents: { role: string; parts: object[] }[] }>("gemini").contents;
  const isAnswer = (part: object) => "functionResponse" in part;
  for (const [at, { role, parts }] of gemini.entries()) {
    // Answers are a content of their own; one of the same side may follow it.
    const before = gemini[at - 1];
    if (before?.role === role) expect([role, before.parts.every(isAnswer)]).toEqual(["user", true]);
    if (at === 0) expect(role).toBe("user");
    expect(parts.some(isAnswer)).toBe(parts.every(isAnswer));
    const answers = (gemini[at + 1]?.parts ?? []).filter(isAnswer);
    expect(answers).toHaveLength(parts.filter((part) => "functionCall" in part).length);
  }

  for (const scheme of ["openai-chat", "ollama"] as const) {
    const { messages } = encoded<{ messages: { role: string; tool_calls?: object[] }[] }>(scheme);
    for (const [at, { tool_calls = [] }] of messages.entries()) {
      const answers = messages.slice(at + 1).findIndex(({ role }) => role !== "tool");
      const count = answers === -1 ? messages.length - at - 1 : answers;
      if (messages[at]?.role !== "tool") expect(count).toBe(tool_calls.length);
    }
  }

  const responses = encoded<{ input: { type: string; call_id?: string }[] }>("openai-responses").input;
  const ids = (type: string) => responses.flatMap((item) => (item.type === type ? [item.call_id] : []));
  expect(ids("function_call_output")).toEqual(ids("function_call"));

  // Reasoning that nothing follows is refused by those that sign it.
  for (const [at, item] of history.entries()) {
    const next = history[at + 1];
    const followed =
      next !== undefined && next.type !== "function_call_output" && !(next.type === "message" && next.role === "user");
    if (item.type === "reasoning") expect(followed).toBe(true);
  }
}
