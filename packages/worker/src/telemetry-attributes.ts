/** Attributes after OpenTelemetry's GenAI conventions. @see https://opentelemetry.io/docs/specs/semconv/gen-ai/ */
import type { Request } from "@tsukumo/client";
import type { ToolCall } from "./call-ledger.js";
import type { Response } from "./response.js";
import type { WorkerParts } from "./run-context.js";
import type { SpanAttributes } from "./telemetry.js";

export function runAttributes({ client, session }: WorkerParts): SpanAttributes {
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": client.provider,
    "gen_ai.request.model": client.model,
    "gen_ai.conversation.id": session.state.conversationId,
  };
}

export function requestAttributes({ client, session }: WorkerParts, { config }: Request): SpanAttributes {
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": client.provider,
    "gen_ai.request.model": client.model,
    "gen_ai.conversation.id": session.state.conversationId,
    "gen_ai.request.max_tokens": config.maxTokens,
    "gen_ai.request.temperature": config.temperature,
    "gen_ai.request.top_p": config.topP,
    "gen_ai.request.top_k": config.topK,
    "gen_ai.request.stop_sequences": config.stopSequences,
  };
}

export function responseAttributes({ usage, stopReason }: Response): SpanAttributes {
  return {
    "gen_ai.response.finish_reasons": stopReason === undefined ? undefined : [stopReason],
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": usage?.cacheWriteTokens,
  };
}

export function toolAttributes(call: ToolCall): SpanAttributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": call.name,
    "gen_ai.tool.call.id": call.callId,
    "gen_ai.tool.type": "function",
  };
}
