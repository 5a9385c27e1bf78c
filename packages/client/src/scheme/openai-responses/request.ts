/**
 * Request to the body of a response. Nothing is stored at the provider; the history is sent each time, and comes last,
 * so that a longer one only appends.
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
import type { JsonObject, JsonValue } from "../../json.js";
import type { LlmToolDefinition, Request, RequestConfig } from "../../request.js";
import type { EncodeOptions } from "../../scheme.js";
import { withExtraTools } from "../extra-tools.js";
import { bodyText, jsonText, KeptText, listText } from "../kept-text.js";
import { isReasoningModel } from "../openai-models.js";
import { inputText } from "./input.js";

const toolTexts = new KeptText<Request["tools"]>();

export function encode(request: Request, options: EncodeOptions): string {
  const { config } = request;
  const extra = config.extra ?? {};
  const hasTools = request.tools.length > 0;
  return bodyText({
    model: options.model,
    stream: options.stream ?? true,
    store: false,
    include: reasons(config, options.model) ? ["reasoning.encrypted_content"] : undefined,
    max_output_tokens: config.maxTokens,
    temperature: config.temperature,
    top_p: config.topP,
    reasoning: reasoning(config),
    text: textFormat(config),
    prompt_cache_key: config.cache?.key,
    ...extra,
    instructions: request.systemPrompt === "" ? undefined : request.systemPrompt,
    tools: withExtraTools(hasTools ? toolTexts.of(request.tools, toolsText) : undefined, extra.tools),
    tool_choice: (hasTools ? toolChoice(config) : undefined) ?? extra.tool_choice,
    parallel_tool_calls: (hasTools ? config.parallelToolCalls : undefined) ?? extra.parallel_tool_calls,
    input: listText(inputText(request.items)),
  });
}

function toolsText(tools: Request["tools"]): string {
  return jsonText(tools.map(encodeTool));
}

/** Models that do not reason refuse to be asked for their encrypted reasoning; those that do lose it unasked. */
function reasons(config: RequestConfig, model: string): boolean {
  const { reasoning } = config;
  if (reasoning !== undefined) return !("effort" in reasoning && reasoning.effort === "none");
  return isReasoningModel(model);
}

function reasoning(config: RequestConfig): JsonObject | undefined {
  if (config.reasoning === undefined || !("effort" in config.reasoning)) return undefined;
  const { effort } = config.reasoning;
  return effort === "none" ? { effort } : { effort, summary: "auto" };
}

function encodeTool(tool: LlmToolDefinition): JsonObject {
  return {
    type: "function",
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    parameters: tool.inputSchema,
    // Left out it would mean true, and a schema outside the strict subset would be refused.
    strict: tool.strict ?? false,
  };
}

function toolChoice(config: RequestConfig): JsonValue | undefined {
  const choice = config.toolChoice;
  return typeof choice === "object" ? { type: "function", name: choice.name } : choice;
}

function textFormat(config: RequestConfig): JsonObject | undefined {
  const format = config.responseFormat;
  if (format === undefined) return undefined;
  const strict = format.strict === undefined ? {} : { strict: format.strict };
  return { format: { type: "json_schema", name: format.name, schema: format.schema, ...strict } };
}
