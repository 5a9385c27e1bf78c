/** The one interface between a worker and a provider. */
import type { Event } from "./event.js";
import type { Request, RequestConfig } from "./request.js";

export interface LlmClient {
  /** The provider's name, as telemetry and messages show it. */
  readonly provider: string;
  readonly model: string;
  /**
   * Sends the request and reads the answer. Each batch holds the events that one chunk of bytes completed, so that no
   * event waits for the next; batches are never empty. Leaving the iteration early closes the connection.
   * @throws {ClientError} while iterating: HTTP errors, time-outs, connection loss, abort.
   */
  stream(request: Request, options?: StreamOptions): AsyncIterable<readonly Event[]>;
  /** Options of `config` that this provider would ignore or refuse. */
  validate(config: RequestConfig): readonly ConfigWarning[];
}

export interface StreamOptions {
  readonly signal?: AbortSignal;
  readonly onRetry?: (notice: RetryNotice) => void;
}

export interface RetryNotice {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  readonly cause: unknown;
}

/** An option that the provider does not support. */
export interface ConfigWarning {
  readonly option: string;
  readonly message: string;
}
