/** When a request is sent again, and after how long. Only before the first event: later ones cannot be taken back. */
import { ClientError } from "../error.js";
import { startTimer } from "./timer.js";

export interface RetryOptions {
  /** How often a request is sent at most; default 4. 1 turns retrying off. */
  readonly attempts?: number;
  /** The longest wait before the second attempt, doubled for each further one, in milliseconds; default 500. */
  readonly baseDelayMs?: number;
  /** The longest wait of all, in milliseconds; default 10 000. A provider's Retry-After may be longer. */
  readonly maxDelayMs?: number;
  /** No attempt begins later than this after the first, in milliseconds; default 40 000. */
  readonly totalMs?: number;
  /** HTTP statuses that are worth another attempt. */
  readonly statuses?: readonly number[];
  /** From 0 to below 1, spreads the waits of many clients; default Math.random. */
  readonly random?: () => number;
}

export const RETRY_STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504, 529];

const DEFAULTS = {
  attempts: 4,
  baseDelayMs: 500,
  maxDelayMs: 10_000,
  totalMs: 40_000,
  statuses: RETRY_STATUSES,
  random: Math.random,
} as const satisfies Required<RetryOptions>;

/** How long to wait before the next attempt, or `undefined` to give up. `attempt` is the one that failed, from 1. */
export function retryDelay(
  error: unknown,
  attempt: number,
  elapsedMs: number,
  options: RetryOptions = {},
): number | undefined {
  const { attempts, baseDelayMs, maxDelayMs, totalMs, statuses, random } = { ...DEFAULTS, ...options };
  if (attempt >= attempts || !(error instanceof ClientError) || !isWorthIt(error, statuses)) return undefined;
  const ceiling = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  const delay = error.retryAfterMs ?? Math.floor(random() * ceiling);
  return elapsedMs + delay > totalMs ? undefined : delay;
}

function isWorthIt(error: ClientError, statuses: readonly number[]): boolean {
  switch (error.code) {
    case "http":
      return error.status !== undefined && statuses.includes(error.status);
    case "connect":
    case "timeout":
      return true;
    case "aborted":
    case "stream_broken":
    case "event_too_large":
    case "parse":
    case "config":
      return false;
  }
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = startTimer(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
