/** Everything that the steps of one run share. */
import type { LlmClient, Usage } from "@tsukumo/client";
import type { ToolContext } from "@tsukumo/tool";
import type { Cancellation } from "./cancellation.js";
import type { HookRegistry } from "./hooks/registry.js";
import type { PreToolCallResult } from "./hooks/types.js";
import type { WorkerLimits } from "./options.js";
import type { Projection } from "./projection.js";
import type { Session } from "./session.js";
import type { Subscribers } from "./subscribers.js";
import type { Span, SpanOrigin, Telemetry } from "./telemetry.js";
import type { ToolTable } from "./tool-server.js";

/** What lives as long as the worker. */
export interface WorkerParts {
  readonly client: LlmClient;
  readonly session: Session;
  readonly tools: ToolTable;
  readonly hooks: HookRegistry;
  readonly subscribers: Subscribers;
  readonly projection: Projection;
  readonly limits: WorkerLimits;
  readonly context: ToolContext;
  readonly telemetry: Telemetry | undefined;
}

/** What lives as long as the run. */
export interface Run extends WorkerParts {
  readonly cancellation: Cancellation;
  readonly maxTurns: number;
  /** What the caller decided on waiting calls, by call id. */
  readonly decisions: CallDecisions;
  /** Requests sent. */
  turns: number;
  usage: Usage;
  span: Span | undefined;
}

export function origin({ client, session }: WorkerParts): SpanOrigin {
  return { provider: client.provider, model: client.model, conversationId: session.state.conversationId };
}

/** What a person, say, decided on calls that wait, by call id. */
export type CallDecisions = { readonly [callId: string]: CallDecision };
export type CallDecision =
  /** Runs the call; `arguments` (JSON text) in the place of the model's. */
  | { readonly action: "continue"; readonly arguments?: string }
  | Exclude<PreToolCallResult, { action: "continue" | "pause" }>;
