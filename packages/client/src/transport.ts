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

/**
 * Sends what `prepare` gives and reads the answer. Leaving the iteration early closes the connection.
 * @throws {ClientError} A connection that breaks in the middle first aborts the open blocks, in a last batch.
 */
export async function* streamEvents(
  prepare: () => Promise<HttpCall>,
  transport: TransportOptions,
  options: StreamOptions = {},
): AsyncGenerator<readonly Event[], void, undefined> {
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
    try {
      await connection.open();
      while (!connection.over) {
        const batch = connection.take(await connection.read());
        if (batch.length > 0) yield batch;
      }
      await connection.finish();
      return;
    } catch (thrown) {
      const error = connection.asClientError(thrown);
      const delayMs = connection.begun
        ? undefined
        : retryDelay(error, attempt, Date.now() - startedAt, transport.retry);
      if (delayMs === undefined) {
        const rest = connection.abandon(error.code === "aborted");
        if (rest.length > 0) yield rest;
        throw error;
      }
      options.onRetry?.({ attempt, delayMs, cause: error });
      connection.close();
      await unlessAborted(sleep(delayMs, options.signal), options.signal);
    } finally {
      connection.close();
    }
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
