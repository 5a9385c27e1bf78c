/** One call of one tool, to a result. Whatever goes wrong becomes a result that the model can read. */

import { runTool, ToolError, type ToolOutput } from "@tsukumo/tool";
import { effectiveSanitization } from "@tsukumo/tool/sanitize";
import type { ToolCall, ToolResult } from "./call-ledger.js";
import { Deadline } from "./deadline.js";
import type { PerTool } from "./options.js";
import type { Run } from "./run-context.js";
import { parseArguments } from "./timeline/tool-call-collector.js";

export async function runCall(run: Run, call: ToolCall, batchId: string, index: number): Promise<ToolResult> {
  if (run.telemetry === undefined) return attempt(run, call, batchId, index);
  return run.telemetry.span({ kind: "tool", call }, run.span, async (span) => {
    const result = await attempt(run, call, batchId, index);
    span.outcome({ isError: result.isError });
    return result;
  });
}

async function attempt(run: Run, call: ToolCall, batchId: string, index: number): Promise<ToolResult> {
  const entry = run.tools.get(call.name);
  if (entry === undefined) return unknownTool(run, call.name);
  // Checked here for every tool: one that reads its arguments carelessly must not run on half of them.
  if (parseArguments(call.arguments) === undefined) {
    return failure("The arguments are not complete JSON, so the tool was not run. Call it again with a JSON object.");
  }
  const timeoutMs = perTool(run.limits.toolTimeoutMs, entry.meta);
  const clock = timeoutMs === undefined ? undefined : new Deadline(run.cancellation.signal, timeoutMs);
  const context = run.context.with({
    signal: clock?.signal ?? run.cancellation.signal,
    call: { callId: call.callId, batchId, index },
  });
  const level = effectiveSanitization(entry.meta.sanitize, run.limits.outputFloor ?? "tokens");
  const output = runTool(entry.tool, call.arguments, context, level);
  try {
    return success(await run.cancellation.guard(clock === undefined ? output : clock.race(output)));
  } catch (thrown) {
    if (run.cancellation.cancelled) return lastWord(output);
    const error = ToolError.from(thrown);
    return { ...failure(error.message), metadata: { ...error.metadata, code: error.code } };
  } finally {
    clock?.stop();
  }
}

/** A tool that heeds its signal may still tell what it did; one that does not is left behind. */
async function lastWord(output: Promise<ToolOutput>): Promise<ToolResult> {
  const nothing = new Promise<undefined>((resolve) => setTimeout(resolve, 0, undefined));
  const said = await Promise.race([output, nothing]).catch(() => undefined);
  if (said !== undefined) return success(said);
  return failure("Cancelled while the tool was running. Whether it took effect is unknown.");
}

export function unknownTool(run: Run, name: string): ToolResult {
  const known = run.tools.sorted().map((definition) => definition.name);
  return failure(ToolError.notFound(name, known).message);
}

export function failure(content: string): ToolResult {
  return { content, isError: true };
}

function success({ content, metadata, structured }: ToolOutput): ToolResult {
  return { content, isError: false, metadata, ...(structured === undefined ? {} : { structured }) };
}

export function perTool(limit: PerTool | undefined, meta: Parameters<Exclude<PerTool, number>>[0]): number | undefined {
  return typeof limit === "function" ? limit(meta) : limit;
}
