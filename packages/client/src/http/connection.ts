/** One attempt: a request, its answer's bytes, and the decoder that reads them. Closing it leaves nothing behind. */
import { ClientError } from "../error.js";
import type { Event } from "../event.js";
import type { Decoder } from "../scheme.js";
import { orAbort } from "./abort.js";
import { httpError, isRedirect, redirected } from "./http-error.js";
import { safeCause, withoutSecrets } from "./secret.js";
import { startTimer } from "./timer.js";

export interface HttpCall {
  /** The provider's name, for messages. */
  readonly provider: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** What must never be seen: API keys. */
  readonly secrets: readonly string[];
  decoder(): Decoder;
}

export interface ConnectionOptions {
  readonly fetch: typeof fetch;
  readonly openTimeoutMs: number;
  readonly firstEventTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** How long the end of a finished answer may take, so that its connection can be used again. */
const DRAIN_MS = 50;

export class Connection {
  readonly #call: HttpCall;
  readonly #options: ConnectionOptions;
  readonly #controller = new AbortController();
  readonly #decoder: Decoder;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The provider told how the response ended. */
  #told = false;
  #finished = false;
  #aborted = false;
  /** The first event has come. Pings do not count: after them alone, another attempt repeats nothing. */
  begun = false;
  /** The bytes ended before the response did. */
  #broken = false;

  constructor(call: HttpCall, options: ConnectionOptions) {
    this.#call = call;
    this.#options = options;
    this.#decoder = call.decoder();
  }

  /** Sends the request and waits for the answer's headers. @throws {ClientError} */
  async open(): Promise<void> {
    const { signal } = this.#options;
    if (signal?.aborted) throw aborted(signal);
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.#watch((await this.#open()).getReader());
    this.#awaitFirstEvent();
  }

  /** Nothing is left to read: the response or its bytes have ended. */
  get over(): boolean {
    return this.#told || this.#finished;
  }

  /**
   * The next bytes, for `take`. Two steps and no async method, because they run for every chunk, where one promise more
   * is a tenth of the time.
   */
  read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    if (this.#reader === undefined) throw new TypeError("The connection has not begun.");
    return this.#reader.read();
  }

  /** The events that a chunk completes; possibly none. */
  take(chunk: ReadableStreamReadResult<Uint8Array>): readonly Event[] {
    // A body that does not heed the signal was cancelled, and ends as if it were complete.
    if (this.#aborted) throw this.#controller.signal.reason;
    const events = chunk.done ? this.#end() : this.#decoder.push(chunk.value);
    this.#told ||= tellsTheEnd(events);
    if (!this.begun) this.#begin(events);
    return this.#safe(events);
  }

  /** After the last chunk. @throws {ClientError} where the bytes ended before the response did. */
  async finish(): Promise<void> {
    if (this.#broken) throw new ClientError("stream_broken", `${this.#call.provider} ended its answer in the middle.`);
    if (!this.#finished) await this.#drain();
  }

  /** What the decoder still has to say after a failure; nothing where no event had come. */
  abandon(cancelled: boolean): readonly Event[] {
    const events = this.#decoder.end();
    if (!this.begun && !events.some((event) => event.type === "status" && event.status === "started")) return [];
    return this.#safe(cancelled ? events.map(asCancelled) : events);
  }

  /** What went wrong, without secrets. */
  asClientError(error: unknown): ClientError {
    const { signal } = this.#options;
    if (signal?.aborted) return aborted(signal);
    if (error instanceof ClientError) return error;
    const { provider, secrets } = this.#call;
    const what = this.begun ? "broke the connection in the middle of its answer" : "could not be reached";
    const message = `${provider} ${what}: ${withoutSecrets(describe(error), secrets)}`;
    return new ClientError(this.begun ? "stream_broken" : "connect", message, { cause: safeCause(error, secrets) });
  }

  close(): void {
    this.#disarm();
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    if (this.#finished) return;
    this.#finished = true;
    this.#reader?.cancel().catch(() => undefined);
    this.#controller.abort();
  }

  readonly #onAbort = (): void => this.#controller.abort(this.#options.signal?.reason);

  #watch(reader: ReadableStreamDefaultReader<Uint8Array>): void {
    const { signal } = this.#controller;
    const onAbort = () => {
      this.#aborted = true;
      reader.cancel().catch(() => undefined);
    };
    this.#reader = reader;
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  }

  async #open(): Promise<ReadableStream<Uint8Array>> {
    const { provider, url, headers, body } = this.#call;
    this.#arm(this.#options.openTimeoutMs, "did not answer");
    const { signal } = this.#controller;
    // Taken out of its object: browsers refuse to run fetch as the method of anything else.
    const { fetch } = this.#options;
    const sent = fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
    // A fetch that does not heed the signal may still answer when nobody reads it any more.
    sent.then(
      (late) => (this.#finished ? late.body?.cancel().catch(() => undefined) : undefined),
      () => undefined,
    );
    const response = await orAbort(sent, signal);
    this.#disarm();
    if (isRedirect(response)) {
      response.body?.cancel().catch(() => undefined);
      throw redirected(response, provider);
    }
    if (!response.ok) throw await orAbort(httpError(response, provider, this.#call.secrets), signal);
    if (response.body === null) throw new ClientError("connect", `${provider} answered without a body.`);
    return response.body;
  }

  #begin(events: readonly Event[]): void {
    if (this.#finished && (events.every(isPing) || isBareFailure(events))) {
      throw new ClientError("connect", `${this.#call.provider} closed the connection without an answer.`);
    }
    this.begun = !events.every(isPing);
    if (this.begun) this.#disarm();
    else if (events.length > 0) this.#awaitFirstEvent();
  }

  #awaitFirstEvent(): void {
    this.#arm(this.#options.firstEventTimeoutMs, "began no answer");
  }

  #end(): readonly Event[] {
    this.#finished = true;
    const events = this.#decoder.end();
    if (!this.#told && isBareFailure(events)) this.#broken = true;
    return events;
  }

  async #drain(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    const read = async () => {
      while (!(await this.#reader?.read())?.done) {}
      this.#finished = true;
    };
    // The response is complete: what happens to the connection now is nobody's error.
    await Promise.race([read().catch(() => undefined), late]);
    clearTimeout(timer);
  }

  #arm(ms: number, what: string): void {
    this.#disarm();
    if (!Number.isFinite(ms)) return;
    this.#timer = startTimer(() => {
      this.#controller.abort(new ClientError("timeout", `${this.#call.provider} ${what} within ${ms} ms.`));
    }, ms);
  }

  #safe(events: readonly Event[]): readonly Event[] {
    return events.some(mayQuote) ? events.map((event) => withoutQuotes(event, this.#call.secrets)) : events;
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

function aborted(signal: AbortSignal): ClientError {
  return new ClientError("aborted", "The request was aborted.", { cause: signal.reason });
}

/** A provider or a proxy may quote the key in what it complains of, and in what nobody understands. */
function mayQuote({ type }: Event): boolean {
  return type === "error" || type === "unhandled";
}

function withoutQuotes(event: Event, secrets: readonly string[]): Event {
  if (event.type === "unhandled") return { ...event, data: withoutSecrets(event.data, secrets) };
  if (event.type !== "error") return event;
  const { code } = event;
  const clean = { ...event, message: withoutSecrets(event.message, secrets) };
  return code === undefined ? clean : { ...clean, code: withoutSecrets(code, secrets) };
}

function isPing({ type }: Event): boolean {
  return type === "ping";
}

/** How the response ends is told last, but for what the provider sends after it. */
function tellsTheEnd(events: readonly Event[]): boolean {
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i];
    if (event?.type === "status") return event.status !== "started";
    if (event?.type !== "unhandled" && event?.type !== "ping") return false;
  }
  return false;
}

/** The response failed and the provider did not say why. */
function isBareFailure(events: readonly Event[]): boolean {
  return (
    events.some((event) => event.type === "status" && event.status === "failed") &&
    !events.some((event) => event.type === "error")
  );
}

function asCancelled(event: Event): Event {
  if (event.type === "block_abort") return { ...event, reason: "aborted" };
  return event.type === "status" && event.status === "failed" ? { type: "status", status: "cancelled" } : event;
}

/** `fetch failed` says nothing; its cause does. */
function describe(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error && messages.length < 4; cause = cause.cause) {
    if (cause.message !== "") messages.push(cause.message);
  }
  return messages.length === 0 ? String(error) : messages.join(": ");
}
