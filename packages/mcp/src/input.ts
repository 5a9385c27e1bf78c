/**
 * Asking the client for something in the middle of a call. Revision 2025-11-25 sends a request and waits; 2026-07-28
 * answers `input_required` and is called again with the responses; a task parks until `tasks/update`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import type { InputRequest, ServerContext } from "@modelcontextprotocol/server";

export interface InputChannel {
  /** The client's response, valid for the request's method. */
  ask(key: string, request: InputRequest): Promise<unknown>;
}

/** What a server signs and a client gives back: every answer so far. */
export interface RoundState {
  /** What was called: the answers are of no use elsewhere. */
  readonly target: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Thrown into a tool that must be called again once the client has answered; not an error of the tool. */
export class InputPending extends Error {
  readonly code = "InputPending";

  constructor(key: string) {
    super(`The client has not answered ${JSON.stringify(key)} yet; the tool runs again when it has.`);
    this.name = "InputPending";
  }
}

/** Revision 2025-11-25: a request of its own, on the stream of the call. */
export class PushChannel implements InputChannel {
  readonly #context: ServerContext;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  ask(_key: string, request: InputRequest): Promise<unknown> {
    const { method, params } = request;
    return this.#context.mcpReq.send({ method, ...(params === undefined ? {} : { params: { ...params } }) });
  }
}

const NOTHING: ReadonlyMap<string, InputRequest> = new Map();

/** Revision 2026-07-28: collects what is missing; the call is answered with it and comes again. */
export class RoundTripChannel implements InputChannel {
  #pending: Map<string, InputRequest> | undefined;
  readonly #target: string;
  readonly #answers: Record<string, unknown>;
  readonly #responses: Readonly<Record<string, unknown>>;

  constructor(target: string, state: RoundState | undefined, responses: Readonly<Record<string, unknown>> = {}) {
    this.#target = target;
    this.#answers = { ...state?.answers };
    this.#responses = responses;
  }

  /** What the client has been asked and has not answered. */
  get pending(): ReadonlyMap<string, InputRequest> {
    return this.#pending ?? NOTHING;
  }

  get state(): RoundState {
    return { target: this.#target, answers: this.#answers };
  }

  async ask(key: string, request: InputRequest): Promise<unknown> {
    if (Object.hasOwn(this.#answers, key)) return this.#answers[key];
    const response = Object.hasOwn(this.#responses, key) ? this.#responses[key] : undefined;
    if (isResponseTo(request, response)) {
      this.#answers[key] = response;
      return response;
    }
    this.#pending ??= new Map();
    this.#pending.set(key, request);
    throw new InputPending(key);
  }
}

/** True where a client's response has the shape that the request's method promises; clients are not trusted. */
export function isResponseTo(request: InputRequest, response: unknown): boolean {
  if (typeof response !== "object" || response === null) return false;
  switch (request.method) {
    case "elicitation/create":
      return "action" in response && ["accept", "decline", "cancel"].includes(String(response.action));
    case "sampling/createMessage":
      return "role" in response && "content" in response;
    case "roots/list":
      return "roots" in response && Array.isArray(response.roots);
  }
}
