/**
 * Request to the body of a chat completion. The conversation comes last, so that a longer history only appends.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
import type { JsonObject, JsonValue } from "../../json.js";
import type { LlmToolDefinition, Request, RequestConfig } from "../../request.js";
import type { EncodeOptions } from "../../scheme.js";
import { withExtraTools } from "../extra-tools.js";
import { bodyText, elementsText, jsonText, KeptText, listText } from "../kept-text.js";
import { TurnText } from "../turn-text.js";
import { leadingSystem } from "../turns.js";
import { systemMessage, turnMessages } from "./messages.js";

const toolTexts = new KeptText<Request["tools"]>();
const turnTexts = new TurnText(turnMessages);

export function encode(request: Request, options: EncodeOptions): string {
  const { config } = request;
  const stream = options.stream ?? true;
  const extra = config.extra ?? {};
  const hasTools = request.tools.length > 0;
  const leading = leadingSystem(request.items);
  const system =
    request.systemPrompt === undefined || request.systemPrompt === ""
      ? []
      : [{ role: "system", content: request.systemPrompt }];
  return bodyText({
    model: options.model,
    stream,
    stream_options: stream ? { include_usage: true } : undefined,
    [options.legacyMaxTokens === true ? "max_tokens" : "max_completion_tokens"]: config.maxTokens,
    temperature: config.temperature,
    top_p: config.topP,
    stop: config.stopSequences,
    reasoning_effort:
      config.reasoning !== undefined && "effort" in config.reasoning ? config.reasoning.effort : undefined,
    response_format: responseFormat(config),
    prompt_cache_key: config.cache?.key,
    ...extra,
    tools: withExtraTools(hasTools ? toolTexts.of(request.tools, toolsText) : undefined, extra.tools),
    tool_choice: (hasTools ? toolChoice(config) : undefined) ?? extra.tool_choice,
    parallel_tool_calls: (hasTools ? config.parallelToolCalls : undefined) ?? extra.parallel_tool_calls,
    messages: listText(
      elementsText([...system, ...leading.map(systemMessage)]),
      turnTexts.of(request.items, leading.length),
    ),
  });
}

function toolsText(tools: Request["tools"]): string {
  return jsonText(tools.map(encodeTool));
}

function encodeTool(tool: LlmToolDefinition): JsonObject {
  return {
    type: "function",
    function: {
      name: tool.name,
      ...(tool.description === undefined ? {} : { description: tool.description }),
      parameters: tool.inputSchema,
      ...(tool.strict === undefined ? {} : { strict: tool.strict }),
    },
  };
}

function toolChoice(config: RequestConfig): JsonValue | undefined {
  const choice = config.toolChoice;
  return typeof choice === "object" ? { type: "function", function: { name: choice.name } } : choice;
}

function responseFormat(config: RequestConfig): JsonObject | undefined {
  const format = config.responseFormat;
  if (format === undefined) return undefined;
  return {
    type: "json_schema",
    json_schema: {
      name: format.name,
      schema: format.schema,
      ...(format.strict === undefined ? {} : { strict: format.strict }),
    },
  };
}
