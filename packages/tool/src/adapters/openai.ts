/** @see https://platform.openai.com/docs/api-reference/chat/create */
import { toDialect } from "../dialect/index.js";
import type { JsonSchema } from "../json.js";
import { type Adapter, outcomeText, type PlainObject, plain } from "./types.js";

export interface OpenAiTool {
  type: "function";
  function: { name: string; description: string; parameters: PlainObject; strict?: boolean };
}

/** An entry of `message.tool_calls`; custom tool calls are not ours. */
export interface OpenAiToolCall {
  readonly id: string;
  readonly type: string;
  readonly function?: { readonly name: string; readonly arguments: string };
}

export interface OpenAiToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

export const openai: Adapter<OpenAiTool[], OpenAiToolCall, OpenAiToolMessage> = {
  definitions: (registry, { strict = false }) =>
    registry.definitions().map(({ name, description, inputSchema }) => {
      const parameters = openAiParameters(inputSchema, strict);
      const mode = parameters.strict ? { strict: true } : {};
      return { type: "function", function: { name, description, parameters: parameters.schema, ...mode } };
    }),
  call: ({ id, function: called }) =>
    called === undefined ? undefined : { id, name: called.name, arguments: called.arguments },
  result: (outcome) => ({ role: "tool", tool_call_id: outcome.id ?? "", content: outcomeText(outcome) }),
};

/** The schema in strict mode where that is wanted and possible. */
export function openAiParameters(schema: JsonSchema, strict: boolean): { schema: PlainObject; strict: boolean } {
  if (strict) {
    const converted = toDialect(schema, "openai-strict");
    if (converted.problems.length === 0) return { schema: plain(converted.schema), strict: true };
  }
  return { schema: plain(toDialect(schema, "openai").schema), strict: false };
}
