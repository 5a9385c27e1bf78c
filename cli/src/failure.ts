/** A failure that the command explains in one message, without a stack. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, options: { readonly exitCode?: number; readonly cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "CliError";
    this.exitCode = options.exitCode ?? 1;
  }
}

/** The command line itself is wrong. */
export class UsageError extends CliError {
  constructor(message: string) {
    super(message, { exitCode: 2 });
    this.name = "UsageError";
  }
}
