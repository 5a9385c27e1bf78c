/** What an SDK's shape of tools consists of. A new SDK is a file, and a line in `shapes.ts` and in the table. */
import type { BatchCall, BatchOptions, BatchOutcome } from "../batch.js";
import type { JsonObject, JsonSchema } from "../json.js";
import type { ToolMeta } from "../meta.js";
import type { ToolRegistry } from "../registry.js";

export interface DefinitionOptions extends BatchOptions {
  /**
   * Asks OpenAI for strict mode, for each tool whose schema strict mode can express; others are sent without. Nothing
   * for other SDKs.
   */
  readonly strict?: boolean;
}

/** How an SDK writes definitions, calls and results. `Item` is what its responses hold, calls among other things. */
export interface Adapter<Definitions, Item, Result> {
  definitions(registry: ToolRegistry, options: DefinitionOptions): Definitions;
  /** The call in the item; undefined where it is none of ours. */
  call(item: Item): BatchCall | undefined;
  result(outcome: BatchOutcome, meta: ToolMeta | undefined): Result;
}

/** A JSON Schema, or any JSON object, as SDKs type them: to be changed by nobody all the same. */
export type PlainObject = Record<string, unknown>;

/** A copy that an SDK may write to; metas are frozen. */
export function plain(schema: JsonSchema | JsonObject): PlainObject {
  return structuredClone(schema);
}

/** The outcome as text, for SDKs whose results cannot say that they are errors. */
export function outcomeText(outcome: BatchOutcome): string {
  return outcome.status === "done" ? outcome.output.content : `Error: ${outcome.error.message}`;
}

/** A text property of an item that is typed loosely. */
export function textOf(item: object, key: string): string | undefined {
  const value: unknown = Reflect.get(item, key);
  return typeof value === "string" ? value : undefined;
}
