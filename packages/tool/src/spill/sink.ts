/** Where a whole output is kept before it is cut. */

export interface SpillContext {
  readonly toolName: string;
  /** Anything that the caller wants to find the output by later; never shown to the model. */
  readonly tag?: string;
}

export interface SpillSink {
  /**
   * Keeps the text and gives the reference that reads it back.
   * @throws {SpillError}
   */
  spill(context: SpillContext, text: string): string | Promise<string>;
  /**
   * The text that was kept; undefined where there is none (any more) for this reference.
   * @throws {SpillError} `StorageFailed` where it cannot be told
   */
  recall(ref: string): string | undefined | Promise<string | undefined>;
}

export type SpillErrorCode = "CapacityExceeded" | "StorageFailed" | "Timeout" | "Rejected" | "Other";

/** An output that could not be kept. */
export class SpillError extends Error {
  readonly code: SpillErrorCode;
  /** For `CapacityExceeded`: how many bytes the sink takes. */
  readonly limit: number | undefined;
  /** For `CapacityExceeded`: how many bytes it was asked to take. */
  readonly attempted: number | undefined;

  constructor(
    code: SpillErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly limit?: number; readonly attempted?: number } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "SpillError";
    this.code = code;
    this.limit = options.limit;
    this.attempted = options.attempted;
  }

  static capacity(limit: number, attempted: number): SpillError {
    const message = `The output has ${attempted} bytes, and the sink takes at most ${limit}.`;
    return new SpillError("CapacityExceeded", message, { limit, attempted });
  }

  /** Any thrown value as a SpillError: one stays itself, everything else becomes `Other`. */
  static from(thrown: unknown): SpillError {
    if (thrown instanceof SpillError) return thrown;
    return new SpillError("Other", thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
  }
}
