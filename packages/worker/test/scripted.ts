/** A client that answers by a script, and the events that scripts are made of. */
import type { ConfigWarning, Event, Item, LlmClient, Request, StopReason, StreamOptions, Usage } from "@tsukumo/client";

export type Turn =
  | readonly Event[]
  /** Batches, and things to do between them. */
  | ((request: Request, options: StreamOptions) => AsyncIterable<readonly Event[]>);

export interface SentRequest extends Request {
  /** A copy: the worker's own list goes on growing. */
  readonly items: readonly Item[];
}

export class ScriptedClient implements LlmClient {
  readonly provider = "scripted";
  readonly model = "script-1";
  readonly requests: SentRequest[] = [];
  readonly #turns: Turn[];
  warnings: readonly ConfigWarning[] = [];
  /** Streams that were opened and neither read to their end nor closed. */
  openStreams = 0;

  constructor(...turns: Turn[]) {
    this.#turns = turns;
  }

  add(...turns: Turn[]): void {
    this.#turns.push(...turns);
  }

  /** Forgets what was not asked for. */
  clear(): void {
    this.#turns.length = 0;
  }

  async *stream(request: Request, options: StreamOptions = {}): AsyncGenerator<readonly Event[]> {
    this.requests.push({ ...request, items: [...request.items] });
    const turn = this.#turns.shift();
    if (turn === undefined) throw new Error("the script is over");
    this.openStreams += 1;
    try {
      if (typeof turn === "function") yield* turn(request, options);
      else for (const event of turn) yield [event];
    } finally {
      this.openStreams -= 1;
    }
  }

  validate(): readonly ConfigWarning[] {
    return this.warnings;
  }
}

/** The error of a connection that broke, as the real client words it. */
export class BrokenStream extends Error {
  readonly code = "stream_broken";
}

export function cut(events: readonly Event[], error: unknown = new BrokenStream("connection reset")): Turn {
  return async function* () {
    yield events;
    throw error;
  };
}

export function text(answer: string, stopReason: StopReason = "end_turn", index = 0): Event[] {
  return [
    { type: "block_start", index, block: { type: "text" } },
    ...answer
      .split(/(?<= )/)
      .map((part): Event => ({ type: "block_delta", index, delta: { type: "text", text: part } })),
    { type: "block_stop", index, stopReason },
  ];
}

export function thinking(thought: string, index = 0): Event[] {
  return [
    { type: "block_start", index, block: { type: "thinking" } },
    { type: "block_delta", index, delta: { type: "thinking", text: thought } },
    { type: "block_stop", index, reasoning: { scheme: "scripted", signature: `sig of ${thought}` } },
  ];
}

export function call(id: string, name: string, args: string, index = 0, stopReason?: StopReason): Event[] {
  const middle = Math.ceil(args.length / 2);
  const deltas = args === "" ? [] : [args.slice(0, middle), args.slice(middle)];
  return [
    { type: "block_start", index, block: { type: "tool_use", id, name } },
    ...deltas.map((part): Event => ({ type: "block_delta", index, delta: { type: "input_json", text: part } })),
    { type: "block_stop", index, ...(stopReason === undefined ? {} : { stopReason }) },
  ];
}

/** A response of several calls, `[id, name, args]` each. */
export function calls(...list: readonly (readonly [string, string, string])[]): Event[] {
  return list.flatMap(([id, name, args], index) =>
    call(id, name, args, index, index === list.length - 1 ? "tool_use" : undefined),
  );
}

export function usage(counts: Usage): Event {
  return { type: "usage", usage: counts };
}
