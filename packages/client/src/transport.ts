/** A request's answer as batches of events: attempts before the first event, then one connection to its end. */
import type { StreamOptions } from "./client.js";
import { ClientError } from "./error.js";
import type { Event } from "./event.js";
import { orAbort } from "./http/abort.js";
import { Connection, type ConnectionOptions, type HttpCall } from "./http/connection.js";
import { type RetryOptions, retryDelay, sleep } from "./http/retry.js";

export interface TransportOptions {
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Until the answer's headers, in milliseconds; default 20 000. `Infinity` waits forever. */
  readonly openTimeoutMs?: number;
  /**
   * From the headers to the first event, in milliseconds; default 30 000. A ping is none, but gives the server the same
   * time again. Later events may take any time.
   */
  readonly firstEventTimeoutMs?: number;
  readonly retry?: RetryOptions;
}

const OPEN_TIMEOUT_MS = 20_000;
const FIRST_EVENT_TIMEOUT_MS = 30_000;

type Batch = readonly Event[];
type Result = IteratorResult<Batch, undefined>;

/** Pings at most, until an attempt has begun to answer; then that attempt's connection. */
type Beginning = AsyncGenerator<Batch, Connection | undefined, undefined>;

/**
 * Sends what `prepare` gives and reads the answer. Leaving the iteration early closes the connection.
 * @throws {ClientError} A connection that breaks in the middle first aborts the open blocks, in a last batch.
 */
export function streamEvents(
  prepare: () => Promise<HttpCall>,
  transport: TransportOptions,
  options: StreamOptions = {},
): AsyncIterableIterator<Batch, undefined> {
  return new EventBatches(begin(prepare, transport, options));
}

async function* begin(
  prepare: () => Promise<HttpCall>,
  transport: TransportOptions,
  options: StreamOptions,
): Beginning {
  const call = await unlessAborted(prepare(), options.signal);
  const connecting: ConnectionOptions = {
    fetch: transport.fetch ?? globalThis.fetch,
    openTimeoutMs: transport.openTimeoutMs ?? OPEN_TIMEOUT_MS,
    firstEventTimeoutMs: transport.firstEventTimeoutMs ?? FIRST_EVENT_TIMEOUT_MS,
    signal: options.signal,
  };
  const startedAt = Date.now();
  for (let attempt = 1; ; attempt++) {
    const connection = new Connection(call, connecting);
    let kept = false;
    try {
      await connection.open();
      while (!connection.begun) {
        const batch = connection.take(await connection.read());
        if (batch.length > 0) yield batch;
      }
      kept = true;
      return connection;
    } catch (thrown) {
      const error = connection.asClientError(thrown);
      const delayMs = retryDelay(error, attempt, Date.now() - startedAt, transport.retry);
      if (delayMs === undefined) {
        const rest = connection.abandon(error.code === "aborted");
        if (rest.length > 0) yield rest;
        throw error;
      }
      options.onRetry?.({ attempt, delayMs, cause: error });
      connection.close();
      await unlessAborted(sleep(delayMs, options.signal), options.signal);
    } finally {
      if (!kept) connection.close();
    }
  }
}

const DONE: Result = { done: true, value: undefined };

/** An iterator by hand: an async generator takes three promises more for every chunk. */
class EventBatches implements AsyncIterableIterator<Batch, undefined> {
  readonly #beginning: Beginning;
  #connection: Connection | undefined;
  #ended = false;
  /** What the call after the last batch throws. */
  #error: ClientError | undefined;
  #busy = false;
  #current: Promise<Result> = Promise.resolve(DONE);

  constructor(beginning: Beginning) {
    this.#beginning = beginning;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Calls that do not wait for the one before get their batches in order, as a generator's do. */
  next(): Promise<Result> {
    if (this.#busy) return this.#current.then(this.#again, this.#again);
    this.#busy = true;
    this.#current = this.#step();
    return this.#current;
  }

  async return(): Promise<Result> {
    this.#ended = true;
    if (this.#connection === undefined) await this.#beginning.return(undefined);
    else this.#connection.close();
    return DONE;
  }

  readonly #again = (): Promise<Result> => this.next();

  #step(): Promise<Result> {
    const connection = this.#connection;
    if (connection === undefined || this.#ended) return this.#begin();
    if (connection.over) return connection.finish().then(this.#finished, this.#failed);
    return connection.read().then(this.#take, this.#failed);
  }

  async #begin(): Promise<Result> {
    try {
      if (this.#error !== undefined) throw this.#error;
      const begun = this.#ended ? DONE : await this.#beginning.next();
      if (begun.done !== true) return begun;
      this.#connection = begun.value;
      if (!this.#ended && begun.value !== undefined) return await this.#step();
      // Left while the attempt that answered was handed over.
      begun.value?.close();
      this.#ended = true;
      return DONE;
    } catch (thrown) {
      this.#error = undefined;
      this.#ended = true;
      throw thrown;
    } finally {
      this.#busy = false;
    }
  }

  readonly #take = (chunk: ReadableStreamReadResult<Uint8Array>): Result | Promise<Result> => {
    try {
      const batch = this.#ended ? undefined : this.#connection?.take(chunk);
      if (batch === undefined) return this.#settled(DONE);
      return batch.length === 0 ? this.#step() : this.#settled({ done: false, value: batch });
    } catch (thrown) {
      return this.#failed(thrown);
    }
  };

  readonly #finished = (): Result => {
    this.#ended = true;
    this.#connection?.close();
    return this.#settled(DONE);
  };

  readonly #failed = (thrown: unknown): Result => {
    const connection = this.#connection;
    const left = this.#ended || connection === undefined;
    this.#ended = true;
    if (left) return this.#settled(DONE);
    const error = connection.asClientError(thrown);
    const rest = connection.abandon(error.code === "aborted");
    connection.close();
    this.#busy = false;
    if (rest.length === 0) throw error;
    this.#error = error;
    return { done: false, value: rest };
  };

  #settled(result: Result): Result {
    this.#busy = false;
    return result;
  }
}

/** An abort before there is a connection: a key that is fetched, or a wait, may take any time. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  try {
    return await orAbort(promise, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ClientError("aborted", "The request was aborted.", { cause: signal.reason });
  }
}
