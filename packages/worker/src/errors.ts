/** Why a run, or a call on the worker, failed. */

export type WorkerErrorCode =
  /** The request failed before an answer came: HTTP error, no connection, time-out. `cause` is the client's error. */
  | "ClientFailed"
  /** The answer broke off, and the continuations that are allowed are used up. `cause` is the client's error. */
  | "StreamBroken"
  /** The provider told an error inside the stream. */
  | "ModelError"
  /** `cancel()` or the caller's AbortSignal. `cause` is the signal's reason. */
  | "Cancelled"
  /** A hook answered cancel or abort. */
  | "Aborted"
  /** A hook threw. `cause` is what it threw. */
  | "HookFailed"
  /** The journal could not write; nothing that it did not write has happened. */
  | "JournalFailed"
  /** The call is not allowed in this state (locked, unlocked). */
  | "WrongState"
  /** The worker is running. */
  | "Busy"
  /** A request would change what `lock()` protects. */
  | "CachePrefixChanged"
  /** `strictConfig` is on and the provider does not support an option. */
  | "ConfigRejected"
  /** A history that no provider would accept. */
  | "InvalidHistory"
  | "InvalidSnapshot"
  /** Something that must not happen did; `cause` tells. */
  | "Internal";

export interface WorkerErrorDetails {
  readonly cause?: unknown;
  /** What a hook or the caller gave as the reason. */
  readonly reason?: string;
  /** Text of the answer that was received and is not in the history. */
  readonly partialText?: string;
}

export class WorkerError extends Error {
  readonly code: WorkerErrorCode;
  readonly reason: string | undefined;
  readonly partialText: string | undefined;

  constructor(code: WorkerErrorCode, message: string, details: WorkerErrorDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "WorkerError";
    this.code = code;
    this.reason = details.reason;
    this.partialText = details.partialText;
  }
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  try {
    return String(thrown);
  } catch {
    return "a value that has no text";
  }
}
