/** @see https://docs.anthropic.com/en/api/messages */
import { toDialect } from "../dialect/index.js";
import { type Adapter, type PlainObject, plain, textOf } from "./types.js";

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: PlainObject & { type: "object" };
}

/** An entry of `message.content`; those that are no `tool_use` are passed over. */
export interface AnthropicBlock {
  readonly type: string;
}

export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content: string;
  is_error?: true;
}

export const anthropic: Adapter<AnthropicTool[], AnthropicBlock, AnthropicToolResult> = {
  definitions: (registry) =>
    registry.definitions().map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { ...plain(toDialect(inputSchema, "anthropic").schema), type: "object" },
    })),
  call: (block) => {
    const [id, name] = [textOf(block, "id"), textOf(block, "name")];
    if (block.type !== "tool_use" || id === undefined || name === undefined) return undefined;
    return { id, name, arguments: Reflect.get(block, "input") };
  },
  result: (outcome) => {
    const result = { type: "tool_result", tool_use_id: outcome.id ?? "" } as const;
    return outcome.status === "done"
      ? { ...result, content: outcome.output.content }
      : { ...result, content: outcome.error.message, is_error: true };
  },
};
