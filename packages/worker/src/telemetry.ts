/** Where a run's spans go. `@tsukumo/worker/opentelemetry` makes one; nothing is imported without it. */

export type SpanKind = "run" | "request" | "tool";
export type SpanAttributes = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };

export interface SpanHandle {
  set(attributes: SpanAttributes): void;
}

export interface Telemetry {
  /** Runs the function inside a span; a throw is recorded in it and goes on. */
  span<T>(kind: SpanKind, name: string, attributes: SpanAttributes, body: (span: SpanHandle) => Promise<T>): Promise<T>;
}
