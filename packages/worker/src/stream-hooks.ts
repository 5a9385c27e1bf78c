/** The hooks that hear the stream, and what they decide. */
import type { Event } from "@tsukumo/client";
import type { StreamResult } from "./hooks/types.js";
import type { ResponseCollector } from "./response-collector.js";
import type { Run } from "./run-context.js";

export type StreamDecision = Exclude<StreamResult, { action: "continue" }>;

export function hearsStream(run: Run): boolean {
  const { hooks } = run;
  return (
    hooks.has("OnStreamChunk") ||
    hooks.has("OnTextDelta") ||
    hooks.has("OnThinkingDelta") ||
    hooks.has("OnToolCallDelta")
  );
}

/** Tells one event to the hooks. @throws {WorkerError} `HookFailed`, `Cancelled` */
export async function tellStreamHooks(
  run: Run,
  response: ResponseCollector,
  event: Event,
): Promise<StreamDecision | undefined> {
  const { hooks, cancellation } = run;
  if (hooks.has("OnStreamChunk")) {
    const decision = await hooks.decide("OnStreamChunk", { event }, cancellation);
    if (decision !== undefined) return decision;
  }
  if (event.type !== "block_delta") return undefined;
  const { index, delta } = event;
  switch (delta.type) {
    case "text":
      return hooks.has("OnTextDelta")
        ? hooks.decide("OnTextDelta", { index, delta: delta.text }, cancellation)
        : undefined;
    case "thinking":
      return hooks.has("OnThinkingDelta")
        ? hooks.decide("OnThinkingDelta", { index, delta: delta.text }, cancellation)
        : undefined;
    case "input_json": {
      const call = response.callAt(index);
      if (call === undefined || !hooks.has("OnToolCallDelta")) return undefined;
      const context = { index, callId: call.id, name: call.name, deltaJsonFragment: delta.text };
      return hooks.decide("OnToolCallDelta", context, cancellation);
    }
    case "refusal":
      return undefined;
  }
}
