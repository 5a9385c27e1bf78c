/** What a worker can be told when it is made, and a run when it starts. */
import type { Item, RequestConfig } from "@tsukumo/client";
import type { ToolContext, ToolDefinition, ToolMeta } from "@tsukumo/tool";
import type { OutputSanitization } from "@tsukumo/tool/sanitize";
import type { HookPoint, Hooks } from "./hooks/types.js";
import type { Journal } from "./journal.js";
import type { PrunePolicy } from "./projection.js";
import type { WorkerWarning } from "./subscriber.js";
import type { Telemetry } from "./telemetry.js";
import type { ToolServer } from "./tool-server.js";

/** One value for all tools, or one a tool; undefined means no limit. */
export type PerTool = number | ((meta: ToolMeta) => number | undefined);

export interface WorkerLimits {
  /** Requests in one run; unlimited by default. */
  readonly maxTurns?: number;
  /** How often in a row a broken answer is asked for again; 3 by default, 0 makes the first break an error. */
  readonly maxContinuations?: number;
  /** Tools that run at once; unlimited by default. */
  readonly maxParallelTools?: number;
  /** Milliseconds until a tool is given up; none by default. */
  readonly toolTimeoutMs?: PerTool;
  /** UTF-8 bytes of a tool's output that the model gets; unlimited by default. */
  readonly maxToolOutputBytes?: PerTool;
  /**
   * How outputs are made safe at least: `"tokens"` by default, so that no tool's text can pose as a turn of the
   * conversation. A tool may ask for more; `"none"` lets those that ask for none pass as they are.
   */
  readonly outputFloor?: OutputSanitization;
  /** How an output is cut to `maxToolOutputBytes`; by default its middle goes. */
  readonly truncate?: (output: string, maxBytes: number, meta: ToolMeta) => string;
}

export interface WorkerCode {
  readonly tools?: Iterable<ToolDefinition>;
  /** A server whose tools other workers use too. */
  readonly toolServer?: ToolServer;
  readonly hooks?: { readonly [P in HookPoint]?: Hooks[P] };
  /** State and extensions that every call's context shares. */
  readonly context?: ToolContext;
  readonly journal?: Journal;
  readonly telemetry?: Telemetry;
  readonly prune?: PrunePolicy;
  readonly onWarning?: (warning: WorkerWarning) => void;
  /** Makes options that the provider does not support an error instead of a warning. */
  readonly strictConfig?: boolean;
}

export interface WorkerOptions extends WorkerLimits, WorkerCode {
  readonly systemPrompt?: string;
  readonly config?: RequestConfig;
  readonly history?: readonly Item[];
  /** A random UUID by default. */
  readonly conversationId?: string;
}

/** For a session that goes on: what a snapshot cannot hold. */
export interface ResumeOptions extends WorkerLimits, WorkerCode {}

export interface RunOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** In the place of the worker's. */
  readonly maxTurns?: number;
}
