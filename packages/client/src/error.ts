/** The one error type of this package. No message, cause or property of it ever holds an API key. */

/**
 * - `http`: the provider answered with an error status (`status`, `providerCode`, `retryAfterMs`)
 * - `connect`: no connection, or it broke before the first event
 * - `timeout`: the answer did not open, or did not begin, in time
 * - `aborted`: the caller's signal was aborted
 * - `stream_broken`: the connection broke after the first event
 * - `event_too_large`: one event was larger than `maxEventBytes`
 * - `parse`: the provider sent something that is not its own format
 * - `config`: an option is missing or wrong; nothing was sent
 */
export type ClientErrorCode =
  | "http"
  | "connect"
  | "timeout"
  | "aborted"
  | "stream_broken"
  | "event_too_large"
  | "parse"
  | "config";

export interface ClientErrorDetails {
  readonly status?: number | undefined;
  readonly providerCode?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;
  /** The HTTP status, for `http`. */
  readonly status?: number;
  /** The provider's own word for it, `rate_limit_error` say. */
  readonly providerCode?: string;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;

  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    if (details.status !== undefined) this.status = details.status;
    if (details.providerCode !== undefined) this.providerCode = details.providerCode;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
  }
}
