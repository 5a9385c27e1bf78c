import { describe, expect, it } from "vitest";
import { type Span, type Telemetry, Worker } from "../src/index.js";
import { type OtelApi, type OtelSpan, openTelemetry } from "../src/opentelemetry.js";
import { calls, cut, ScriptedClient, text, usage } from "./scripted.js";
import { tool } from "./tools.js";

/** `@opentelemetry/api` as far as it is used, with spans that can be looked at. */
class RecordingSpan implements OtelSpan {
  readonly attributes: Record<string, unknown> = {};
  status: unknown;
  exception: unknown;
  ended = false;

  constructor(
    readonly name: string,
    readonly kind: number,
    readonly parent: RecordingSpan | undefined,
  ) {}

  setAttributes(attributes: object): void {
    Object.assign(this.attributes, attributes);
  }
  setStatus(status: object): void {
    this.status = status;
  }
  recordException(exception: object): void {
    this.exception = exception;
  }
  end(): void {
    this.ended = true;
  }
}

function recordingApi() {
  const spans: RecordingSpan[] = [];
  type Context = { readonly span?: RecordingSpan };
  const api: OtelApi<Context, RecordingSpan> = {
    trace: {
      getTracer: () => ({
        startSpan(name, { kind, attributes }, context) {
          const span = new RecordingSpan(name, kind, context.span);
          span.setAttributes(attributes);
          spans.push(span);
          return span;
        },
      }),
      setSpan: (_, span) => ({ span }),
    },
    context: { active: () => ({}), with: (_, body) => body() },
    SpanKind: { INTERNAL: 0, CLIENT: 2 },
    SpanStatusCode: { ERROR: 2 },
  };
  return { api, spans };
}

describe("OpenTelemetry", () => {
  it("gets a span for the run, each request and each tool, with tokens", async () => {
    const { api, spans } = recordingApi();
    const client = new ScriptedClient(
      [...calls(["a", "t", "{}"], ["b", "nope", "{}"]), usage({ inputTokens: 7, outputTokens: 2, cacheReadTokens: 5 })],
      [...text("ok"), usage({ inputTokens: 9, outputTokens: 1 })],
    );
    const worker = Worker.create(client, {
      conversationId: "c",
      config: { maxTokens: 10, stopSequences: ["."] },
      telemetry: openTelemetry(api),
      tools: [
        tool("t", () => {
          throw new Error("boom");
        }),
      ],
    });
    await worker.run("go");
    const [run] = spans;
    const origin = {
      "gen_ai.provider.name": "scripted",
      "gen_ai.request.model": "script-1",
      "gen_ai.conversation.id": "c",
    };
    const request = {
      ...origin,
      "gen_ai.operation.name": "chat",
      "gen_ai.request.max_tokens": 10,
      "gen_ai.request.stop_sequences": ["."],
    };
    expect(spans.map(({ name, kind, parent, attributes }) => ({ name, kind, parent, attributes }))).toEqual([
      {
        name: "invoke_agent script-1",
        kind: 0,
        parent: undefined,
        attributes: {
          ...origin,
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.usage.input_tokens": 16,
          "gen_ai.usage.output_tokens": 3,
          "gen_ai.usage.cache_read.input_tokens": 5,
        },
      },
      {
        name: "chat script-1",
        kind: 2,
        parent: run,
        attributes: {
          ...request,
          "gen_ai.response.finish_reasons": ["tool_use"],
          "gen_ai.usage.input_tokens": 7,
          "gen_ai.usage.output_tokens": 2,
          "gen_ai.usage.cache_read.input_tokens": 5,
        },
      },
      {
        name: "execute_tool t",
        kind: 0,
        parent: run,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "t",
          "gen_ai.tool.call.id": "a",
          "gen_ai.tool.type": "function",
          "error.type": "tool_error",
        },
      },
      {
        name: "chat script-1",
        kind: 2,
        parent: run,
        attributes: {
          ...request,
          "gen_ai.response.finish_reasons": ["end_turn"],
          "gen_ai.usage.input_tokens": 9,
          "gen_ai.usage.output_tokens": 1,
        },
      },
    ]);
    expect(spans.every((span) => span.ended)).toBe(true);
  });

  it("gets the error of a run that fails", async () => {
    const { api, spans } = recordingApi();
    const worker = Worker.create(new ScriptedClient(cut([], new Error("no route"))), { telemetry: openTelemetry(api) });
    await expect(worker.run("go")).rejects.toThrow();
    expect(spans.map(({ status, ended, attributes }) => [status, ended, attributes["error.type"]])).toEqual([
      [{ code: 2, message: "The request failed: no route" }, true, "ClientFailed"],
      [{ code: 2, message: "The request failed: no route" }, true, "ClientFailed"],
    ]);
  });

  it("works with the real API and its in-memory exporter", async () => {
    const otel = await import("@opentelemetry/api");
    const sdk = await import("@opentelemetry/sdk-trace-base");
    const exporter = new sdk.InMemorySpanExporter();
    const provider = new sdk.BasicTracerProvider({ spanProcessors: [new sdk.SimpleSpanProcessor(exporter)] });
    otel.trace.setGlobalTracerProvider(provider);
    const client = new ScriptedClient(calls(["a", "t", "{}"]), [...text("ok"), usage({ inputTokens: 3 })]);
    const worker = Worker.create(client, { telemetry: openTelemetry(otel), tools: [tool("t", () => "ok")] });
    await worker.run("go");
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name }) => name)).toEqual([
      "chat script-1",
      "execute_tool t",
      "chat script-1",
      "invoke_agent script-1",
    ]);
    expect(spans[2]?.attributes).toMatchObject({ "gen_ai.usage.input_tokens": 3 });
    expect(new Set(spans.slice(0, 3).map((span) => span.parentSpanContext?.spanId)).size).toBe(1);
  });
});

describe("another telemetry", () => {
  it("sees subjects, parents and outcomes", async () => {
    const seen: string[] = [];
    const names = new Map<Span, string>();
    const telemetry: Telemetry = {
      async span(subject, parent, body) {
        const span: Span = { outcome: ({ stopReason }) => seen.push(`${subject.kind} ended: ${stopReason}`) };
        names.set(span, subject.kind);
        seen.push(`${subject.kind} in ${parent === undefined ? "nothing" : names.get(parent)}`);
        return body(span);
      },
    };
    await Worker.create(new ScriptedClient(text("ok")), { telemetry }).run("go");
    expect(seen).toEqual(["run in nothing", "request in run", "request ended: end_turn", "run ended: undefined"]);
  });
});
