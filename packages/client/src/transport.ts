/** A request's answer as batches of events: attempts before the first event, then one connection to its end. */
import type { StreamOptions } from "./client.js";
import { ClientError } from "./error.js";
import type { Event } from "./event.js";
import { Connection, type ConnectionOptions, type HttpCall } from "./http/connection.js";
import { type RetryOptions, retryDelay, sleep } from "./http/retry.js";

export interface TransportOptions {
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Until the answer's headers, in milliseconds; default 20 000. `Infinity` waits forever. */
  readonly openTimeoutMs?: number;
  /** From the headers to the first event, in milliseconds; default 30 000. Later events may take any time. */
  readonly firstEventTimeoutMs?: number;
  readonly retry?: RetryOptions;
}

const OPEN_TIMEOUT_MS = 20_000;
const FIRST_EVENT_TIMEOUT_MS = 30_000;

/**
 * Sends `call` and reads its answer. Leaving the iteration early closes the connection.
 * @throws {ClientError} A connection that breaks in the middle first aborts the open blocks, in a last batch.
 */
export async function* streamEvents(
  call: HttpCall,
  transport: TransportOptions,
  options: StreamOptions = {},
): AsyncGenerator<readonly Event[], void, undefined> {
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
      const first = await connection.begin().catch((error: unknown) => new Failure(error));
      if (!(first instanceof Failure)) {
        yield* answer(connection, first);
        return;
      }
      const delayMs = retryDelay(first.error, attempt, Date.now() - startedAt, transport.retry);
      if (delayMs === undefined) {
        yield* told(connection, first.error);
        throw first.error;
      }
      options.onRetry?.({ attempt, delayMs, cause: first.error });
      connection.close();
      await pause(delayMs, options.signal);
    } finally {
      connection.close();
    }
  }
}

/** Tells a failed attempt from its events. */
class Failure {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

async function* answer(
  connection: Connection,
  first: readonly Event[],
): AsyncGenerator<readonly Event[], void, undefined> {
  let batch: readonly Event[] | undefined = first;
  while (batch !== undefined) {
    yield batch;
    try {
      batch = await connection.next();
    } catch (error) {
      yield* told(connection, error);
      throw error;
    }
  }
  if (connection.broken) {
    throw new ClientError("stream_broken", "The connection ended in the middle of the answer. Send the request again.");
  }
}

/** What was complete before the error, and the end of what was open. Nothing where no event has come. */
function* told(connection: Connection, error: unknown): Generator<readonly Event[], void, undefined> {
  const rest = connection.abandon(error instanceof ClientError && error.code === "aborted");
  if (rest.length > 0) yield rest;
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch (error) {
    throw new ClientError("aborted", "The request was aborted.", { cause: error });
  }
}
