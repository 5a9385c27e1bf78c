/** Where a run's spans go. `@tsukumo/worker/opentelemetry` makes one; nothing is imported without it. */
import type { RequestConfig, StopReason, Usage } from "@tsukumo/client";
import type { ToolCall } from "./call-ledger.js";

/** What a span is about. */
export type SpanSubject =
  | ({ readonly kind: "run" } & SpanOrigin)
  | ({ readonly kind: "request"; readonly config: RequestConfig } & SpanOrigin)
  | { readonly kind: "tool"; readonly call: ToolCall };

export interface SpanOrigin {
  readonly provider: string;
  readonly model: string;
  readonly conversationId: string;
}

/** What is known when it ends. */
export interface SpanOutcome {
  readonly usage?: Usage | undefined;
  readonly stopReason?: StopReason | undefined;
  /** A tool told the model an error; a span whose body throws is an error anyway. */
  readonly isError?: boolean;
}

export interface Span {
  outcome(outcome: SpanOutcome): void;
}

export interface Telemetry {
  /** Runs the body inside a span; what it throws is recorded and goes on. */
  span<T>(subject: SpanSubject, parent: Span | undefined, body: (span: Span) => Promise<T>): Promise<T>;
}
