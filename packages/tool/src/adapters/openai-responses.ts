/** @see https://platform.openai.com/docs/api-reference/responses/create */
import { openAiParameters } from "./openai.js";
import { type Adapter, outcomeText, type PlainObject, textOf } from "./types.js";

export interface OpenAiResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: PlainObject;
  strict: boolean;
}

/** An entry of `response.output`; those that are no function calls are passed over. */
export interface OpenAiResponsesItem {
  readonly type: string;
}

export interface OpenAiResponsesOutput {
  type: "function_call_output";
  call_id: string;
  output: string;
}

export const openaiResponses: Adapter<OpenAiResponsesTool[], OpenAiResponsesItem, OpenAiResponsesOutput> = {
  definitions: (registry, { strict: wanted = false }) =>
    registry.definitions().map(({ name, description, inputSchema }) => {
      // Said in every case: left out, it means strict here.
      const { schema, strict } = openAiParameters(inputSchema, wanted);
      return { type: "function", name, description, parameters: schema, strict };
    }),
  call: (item) => {
    const [id, name] = [textOf(item, "call_id"), textOf(item, "name")];
    if (item.type !== "function_call" || id === undefined || name === undefined) return undefined;
    return { id, name, arguments: textOf(item, "arguments") };
  },
  result: (outcome) => ({ type: "function_call_output", call_id: outcome.id ?? "", output: outcomeText(outcome) }),
};
