import type { ToolEffect } from "./effect.js";
import type { JsonObject, JsonSchema } from "./json.js";
import type { OutputSanitization } from "./sanitize/output.js";

/** What a model and a hook see of a tool. Deeply frozen once registered. */
export interface ToolMeta {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of the arguments object. */
  readonly inputSchema: JsonSchema;
  /** JSON Schema of the returned value, where the return type is known. */
  readonly outputSchema?: JsonSchema;
  readonly effect: ToolEffect;
  readonly annotations?: JsonObject;
  /** How the tool's output is made safe; `tokens` unless given. `none` holds only where the registry's floor allows it. */
  readonly sanitize?: OutputSanitization;
}

/** Fills a hand-written meta's defaults: description `Tool: {name}`, effect `mutating`, no arguments. Deeply frozen. */
export function toolMeta(meta: { readonly name: string } & Partial<ToolMeta>): ToolMeta {
  return freezeToolMeta({
    description: `Tool: ${meta.name}`,
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    effect: "mutating",
    ...meta,
  });
}

/** Freezes a meta and everything in it; gives the same object. */
export function freezeToolMeta(meta: ToolMeta): ToolMeta {
  deepFreeze(meta);
  return meta;
}

function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
}
