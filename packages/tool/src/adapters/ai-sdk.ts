/** @see https://ai-sdk.dev/docs/reference/ai-sdk-core/generate-text */
import type { BatchOptions } from "../batch.js";
import { ToolError } from "../error.js";
import type { JsonSchema } from "../json.js";
import type { ToolMeta } from "../meta.js";
import type { ToolRegistry } from "../registry.js";
import { type Adapter, type PlainObject, plain } from "./types.js";

// How that SDK knows at run time what its own `jsonSchema()` makes: every version takes it, and as it is. Its types know
// the Standard Schema beside it.
const SCHEMA = Symbol.for("vercel.ai.schema");
const VALIDATOR = Symbol.for("vercel.ai.validator");

/** @see https://standardschema.dev/json-schema */
export interface AiSdkSchema {
  readonly jsonSchema: PlainObject;
  /** None: the tool checks its arguments itself, and tells the model all that is wrong with them. */
  readonly validate: undefined;
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "tsukumo";
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: { readonly input: () => PlainObject; readonly output: () => PlainObject };
  };
}

export interface AiSdkTool {
  description: string;
  inputSchema: AiSdkSchema;
  /** @throws {ToolError} which that SDK tells the model; also for a destructive tool that nobody confirmed */
  execute(input: unknown, call?: { readonly toolCallId?: string; readonly abortSignal?: AbortSignal }): Promise<string>;
}

/** The `tools` option: tools by name. */
export type AiSdkToolSet = Record<string, AiSdkTool>;

/** An entry of `result.toolCalls`, for programs that run tools themselves. */
export interface AiSdkToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** A part of a `tool` message. */
export interface AiSdkToolResult {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text"; value: string } | { type: "error-text"; value: string };
}

export const aiSdk: Adapter<AiSdkToolSet, AiSdkToolCall, AiSdkToolResult> = {
  definitions: (registry, options) =>
    Object.fromEntries(registry.definitions().map((meta) => [meta.name, toolOf(registry, meta, options)])),
  call: ({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, arguments: input }),
  result: (outcome) => ({
    type: "tool-result",
    toolCallId: outcome.id ?? "",
    toolName: outcome.name,
    output:
      outcome.status === "done"
        ? { type: "text", value: outcome.output.content }
        : { type: "error-text", value: outcome.error.message },
  }),
};

function toolOf(
  registry: ToolRegistry,
  { name, description, inputSchema }: ToolMeta,
  options: BatchOptions,
): AiSdkTool {
  return {
    description,
    inputSchema: schemaOf(inputSchema),
    execute: async (input, call) => {
      const signals = [options.signal, call?.abortSignal].filter((signal) => signal !== undefined);
      const id = call?.toolCallId;
      const [outcome] = await registry.dispatchBatch(
        [{ ...(id === undefined ? {} : { id }), name, arguments: input }],
        signals.length === 0 ? options : { ...options, signal: AbortSignal.any(signals) },
      );
      if (outcome?.status === "done") return outcome.output.content;
      throw outcome?.error ?? ToolError.internal("The batch gave no result.");
    },
  };
}

function schemaOf(schema: JsonSchema): AiSdkSchema {
  const copy = (): PlainObject => plain(schema);
  const standard = {
    version: 1,
    vendor: "tsukumo",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: copy, output: copy },
  } as const;
  const own = { [SCHEMA]: true, [VALIDATOR]: true, _type: undefined };
  return { ...own, jsonSchema: copy(), validate: undefined, "~standard": standard };
}
