/**
 * Spans after OpenTelemetry's GenAI conventions. Takes the API instead of importing it, so that nothing needs to be
 * installed by those who do not trace:
 * `import * as otel from "@opentelemetry/api"; Worker.create(client, { telemetry: openTelemetry(otel) })`
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
import type { RequestConfig } from "@tsukumo/client";
import type { Span, SpanOrigin, SpanOutcome, SpanSubject, Telemetry } from "./telemetry.js";

type AttributeValue = string | number | string[];
type Attributes = Record<string, AttributeValue>;

/** What is used of a span of `@opentelemetry/api`. */
export interface OtelSpan {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(exception: { name: string; message: string }): void;
  end(): void;
}

/** What is used of `@opentelemetry/api`; `C` is its Context. */
export interface OtelApi<C, S extends OtelSpan> {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: { kind: number; attributes: Attributes }, context: C): S;
    };
    setSpan(context: C, span: S): C;
  };
  readonly context: { active(): C; with<T>(context: C, body: () => T): T };
  readonly SpanKind: { readonly INTERNAL: number; readonly CLIENT: number };
  readonly SpanStatusCode: { readonly ERROR: number };
}

/** @param api the module `@opentelemetry/api` */
export function openTelemetry<C, S extends OtelSpan>(api: OtelApi<C, S>): Telemetry {
  const tracer = api.trace.getTracer("@tsukumo/worker");
  // Parents are kept here too: without a context manager, `context.with` carries nothing over an await.
  const contexts = new WeakMap<Span, C>();
  return {
    async span(subject, parent, body) {
      const parentContext = (parent && contexts.get(parent)) ?? api.context.active();
      const kind = subject.kind === "request" ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL;
      const otelSpan = tracer.startSpan(nameOf(subject), { kind, attributes: startAttributes(subject) }, parentContext);
      const span: Span = {
        outcome: (outcome) => {
          otelSpan.setAttributes(endAttributes(outcome));
          if (outcome.isError === true) otelSpan.setStatus({ code: api.SpanStatusCode.ERROR });
        },
      };
      const context = api.trace.setSpan(parentContext, otelSpan);
      contexts.set(span, context);
      try {
        return await api.context.with(context, () => body(span));
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        otelSpan.recordException({ name: error.name, message: error.message });
        otelSpan.setAttributes({ "error.type": "code" in error ? String(error.code) : error.name });
        otelSpan.setStatus({ code: api.SpanStatusCode.ERROR, message: error.message });
        throw thrown;
      } finally {
        otelSpan.end();
      }
    },
  };
}

function nameOf(subject: SpanSubject): string {
  switch (subject.kind) {
    case "run":
      return `invoke_agent ${subject.model}`;
    case "request":
      return `chat ${subject.model}`;
    case "tool":
      return `execute_tool ${subject.call.name}`;
  }
}

function startAttributes(subject: SpanSubject): Attributes {
  switch (subject.kind) {
    case "run":
      return { "gen_ai.operation.name": "invoke_agent", ...originAttributes(subject) };
    case "request":
      return { "gen_ai.operation.name": "chat", ...originAttributes(subject), ...configAttributes(subject.config) };
    case "tool":
      return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": subject.call.name,
        "gen_ai.tool.call.id": subject.call.callId,
        "gen_ai.tool.type": "function",
      };
  }
}

function originAttributes({ provider, model, conversationId }: SpanOrigin): Attributes {
  return {
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": model,
    "gen_ai.conversation.id": conversationId,
  };
}

function configAttributes(config: RequestConfig): Attributes {
  return present({
    "gen_ai.request.max_tokens": config.maxTokens,
    "gen_ai.request.temperature": config.temperature,
    "gen_ai.request.top_p": config.topP,
    "gen_ai.request.top_k": config.topK,
    "gen_ai.request.stop_sequences": config.stopSequences && [...config.stopSequences],
  });
}

function endAttributes({ usage, stopReason, isError }: SpanOutcome): Attributes {
  return present({
    "gen_ai.response.finish_reasons": stopReason && [stopReason],
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": usage?.cacheWriteTokens,
    "error.type": isError === true ? "tool_error" : undefined,
  });
}

function present(attributes: { readonly [name: string]: AttributeValue | undefined }): Attributes {
  const result: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) result[name] = value;
  return result;
}
