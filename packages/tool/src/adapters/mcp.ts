/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools */
import { toDialect } from "../dialect/index.js";
import type { ToolEffect } from "../effect.js";
import { type Adapter, type PlainObject, plain } from "./types.js";

export interface McpTool {
  name: string;
  description: string;
  inputSchema: PlainObject & { type: "object" };
  outputSchema?: PlainObject & { type: "object" };
  annotations: PlainObject;
}

/** The params of `tools/call`. */
export interface McpToolCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export interface McpToolResult {
  content: { type: "text"; text: string }[];
  structuredContent?: PlainObject;
  isError?: true;
}

export const mcp: Adapter<McpTool[], McpToolCall, McpToolResult> = {
  definitions: (registry) =>
    registry.definitions().map(({ name, description, inputSchema, outputSchema, effect, annotations }) => ({
      name,
      description,
      inputSchema: { ...plain(toDialect(inputSchema, "mcp").schema), type: "object" },
      ...(outputSchema?.type === "object" ? { outputSchema: { ...plain(outputSchema), type: "object" } } : {}),
      annotations: { ...hints(effect), ...annotations },
    })),
  call: ({ name, arguments: args }) => ({ name, arguments: args }),
  result: (outcome, meta) => {
    if (outcome.status !== "done") return { content: [{ type: "text", text: outcome.error.message }], isError: true };
    const { content, structured } = outcome.output;
    const text: McpToolResult = { content: [{ type: "text", text: content }] };
    const isObject = typeof structured === "object" && structured !== null && !Array.isArray(structured);
    return isObject && meta?.outputSchema?.type === "object" ? { ...text, structuredContent: { ...structured } } : text;
  },
};

function hints(effect: ToolEffect): PlainObject {
  switch (effect) {
    case "read_only":
      return { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
    case "mutating":
      return { readOnlyHint: false, destructiveHint: false };
    case "destructive":
      return { readOnlyHint: false, destructiveHint: true };
  }
}
