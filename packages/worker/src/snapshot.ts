/** A session as plain JSON, for another process or another day. Tools, hooks and the client are code: give them again. */
import type { FunctionCallItem, Item, LlmToolDefinition, RequestConfig, StopReason, Usage } from "@tsukumo/client";
import type { JsonObject } from "@tsukumo/tool";
import type { CallState } from "./call-ledger.js";
import { WorkerError } from "./errors.js";

export const SNAPSHOT_VERSION = 1;

export interface WorkerSnapshot {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly conversationId: string;
  readonly systemPrompt?: string;
  readonly config: RequestConfig;
  readonly history: readonly Item[];
  /** Calls without an output in the history that have got further than `open`. */
  readonly calls: readonly { readonly callId: FunctionCallItem["callId"]; readonly state: CallState }[];
  /** Input that was accepted and waits for open calls. */
  readonly queued: readonly Item[];
  /** Present while locked: how many items the lock protects, and the tools that every request tells. */
  readonly lock?: { readonly prefixLength: number; readonly tools: readonly LlmToolDefinition[] };
  /** The last answer broke off, and a part of it is in the history. */
  readonly interrupted: boolean;
  /** Why the answer at the end of the history ended. */
  readonly stopReason?: StopReason;
  /** Calls whose outputs requests leave out. */
  readonly pruned?: readonly string[];
  readonly turns: number;
  readonly usage: Usage;
  readonly sharedState: JsonObject;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
const isOptional =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || is(value);
const isText = (value: unknown): boolean => typeof value === "string";
const STAGES: readonly unknown[] = ["approved", "started", "finished"] satisfies CallState["stage"][];

function isLock(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    "prefixLength" in value && Number.isInteger(value.prefixLength) && "tools" in value && Array.isArray(value.tools)
  );
}

function isCall(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("callId" in value) || !("state" in value)) return false;
  const { callId, state } = value;
  if (!isText(callId) || typeof state !== "object" || state === null || !("stage" in state)) return false;
  if (!STAGES.includes(state.stage) || !("call" in state) || !isObject(state.call)) return false;
  return state.stage !== "finished" || ("result" in state && isObject(state.result));
}

const FIELDS: { readonly [F in keyof Required<WorkerSnapshot>]: (value: unknown) => boolean } = {
  version: (value) => value === SNAPSHOT_VERSION,
  conversationId: isText,
  systemPrompt: isOptional(isText),
  config: isObject,
  history: (value) => Array.isArray(value) && value.every(isObject),
  calls: (value) => Array.isArray(value) && value.every(isCall),
  queued: (value) => Array.isArray(value) && value.every(isObject),
  lock: isOptional(isLock),
  interrupted: (value) => typeof value === "boolean",
  stopReason: isOptional(isText),
  pruned: isOptional((value) => Array.isArray(value) && value.every(isText)),
  turns: (value) => Number.isInteger(value),
  usage: isObject,
  sharedState: isObject,
};

/** A snapshot comes from a file: its type is a promise that nobody has checked. @throws {WorkerError} `InvalidSnapshot` */
export function checkSnapshot(snapshot: unknown): void {
  const values = new Map(typeof snapshot === "object" && snapshot !== null ? Object.entries(snapshot) : []);
  for (const [name, is] of Object.entries(FIELDS)) {
    if (is(values.get(name))) continue;
    const found = JSON.stringify(values.get(name))?.slice(0, 80) ?? "nothing";
    throw new WorkerError(
      "InvalidSnapshot",
      `This is no snapshot that this version (${SNAPSHOT_VERSION}) reads: ${name} is ${found}.`,
    );
  }
}
