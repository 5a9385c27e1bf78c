/** Why a tool call failed, told to the model. */
import type { JsonObject } from "./json.js";

export type ToolErrorCode = "InvalidArgument" | "ExecutionFailed" | "Internal" | "NotFound";

/** One thing that is wrong with the arguments. */
export interface ArgumentIssue {
  /** Where: `$input` is the arguments object, `$input.days[0]` a value inside. */
  readonly path: string;
  /** What the schema wants there. */
  readonly expected: string;
  readonly kind: "missing" | "extra" | "type" | "syntax";
  /** The value that stood there, shortened JSON; absent where nothing stood. */
  readonly received?: string;
}

const ERROR = Symbol.for("tsukumo.ToolError");

/** `message` is for the model; `metadata` is for hooks and logs and never reaches it. */
export class ToolError extends Error {
  readonly code: ToolErrorCode;
  readonly metadata: JsonObject;
  /** For `InvalidArgument`: every problem of the arguments, in the order of the parameters. */
  readonly issues: readonly ArgumentIssue[];
  /** The same in every copy of this package that a program may load. */
  readonly [ERROR] = true;

  constructor(
    code: ToolErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly metadata?: JsonObject;
      readonly issues?: readonly ArgumentIssue[];
    } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "ToolError";
    this.code = code;
    this.metadata = options.metadata ?? {};
    this.issues = options.issues ?? [];
  }

  static invalidArgument(message: string, issues: readonly ArgumentIssue[] = [], cause?: unknown): ToolError {
    return new ToolError("InvalidArgument", message, cause === undefined ? { issues } : { issues, cause });
  }

  static executionFailed(message: string, cause?: unknown): ToolError {
    return new ToolError("ExecutionFailed", message, cause === undefined ? {} : { cause });
  }

  static internal(message: string, cause?: unknown): ToolError {
    return new ToolError("Internal", message, cause === undefined ? {} : { cause });
  }

  static notFound(name: string, known: readonly string[] = []): ToolError {
    const hint = known.length === 0 ? "No tool is registered." : `Available tools: ${known.join(", ")}.`;
    return new ToolError("NotFound", `There is no tool named ${JSON.stringify(name)}. ${hint}`, {
      metadata: { tool: name },
    });
  }

  /** The same error with more metadata; later keys win. */
  withMetadata(metadata: JsonObject): ToolError {
    return new ToolError(this.code, this.message, {
      cause: this.cause,
      issues: this.issues,
      metadata: { ...this.metadata, ...metadata },
    });
  }

  /** Any thrown value as a ToolError: one stays itself, everything else becomes `ExecutionFailed`. */
  static from(thrown: unknown): ToolError {
    if (isToolError(thrown)) return thrown;
    const message = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
    return ToolError.executionFailed(message, thrown);
  }

  /** For logs and programs: code, message, issues and metadata; no stack. */
  toJSON(): JsonObject {
    const issues = this.issues.map((issue) => ({ ...issue }));
    return {
      code: this.code,
      message: this.message,
      ...(issues.length > 0 ? { issues } : {}),
      ...(Object.keys(this.metadata).length > 0 ? { metadata: this.metadata } : {}),
    };
  }
}

function isToolError(value: unknown): value is ToolError {
  return typeof value === "object" && value !== null && ERROR in value;
}
