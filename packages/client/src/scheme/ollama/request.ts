/**
 * Request to the body of Ollama's chat. The conversation comes last, so that a longer history only appends.
 * @see https://docs.ollama.com/api/chat
 */
import type { JsonObject, JsonValue } from "../../json.js";
import type { LlmToolDefinition, Request, RequestConfig } from "../../request.js";
import type { EncodeOptions } from "../../scheme.js";
import { answers } from "../answers.js";
import { withExtraTools } from "../extra-tools.js";
import { bodyText, elementsText, jsonText, KeptText, listText } from "../kept-text.js";
import { TurnText } from "../turn-text.js";
import { leadingSystem } from "../turns.js";
import { systemMessage, turnMessages } from "./messages.js";

const toolTexts = new KeptText<Request["tools"]>();
const turnTexts = new TurnText(turnMessages, answers);

export function encode(request: Request, options: EncodeOptions): string {
  const { config } = request;
  const leading = leadingSystem(request.items);
  const system =
    request.systemPrompt === undefined || request.systemPrompt === ""
      ? []
      : [{ role: "system", content: request.systemPrompt }];
  const { options: extraOptions, ...extra } = config.extra ?? {};
  const settings = { ...modelOptions(config), ...(typeof extraOptions === "object" ? extraOptions : {}) };
  return bodyText({
    model: options.model,
    stream: options.stream ?? true,
    think: think(config, options.model),
    format: config.responseFormat?.schema,
    options: Object.keys(settings).length === 0 ? undefined : settings,
    ...extra,
    tools: withExtraTools(request.tools.length === 0 ? undefined : toolTexts.of(request.tools, toolsText), extra.tools),
    messages: listText(
      elementsText([...system, ...leading.map(systemMessage)]),
      turnTexts.of(request.items, leading.length),
    ),
  });
}

function toolsText(tools: Request["tools"]): string {
  return jsonText(tools.map(encodeTool));
}

function modelOptions(config: RequestConfig): JsonObject {
  return {
    ...(config.maxTokens === undefined ? {} : { num_predict: config.maxTokens }),
    ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
    ...(config.topP === undefined ? {} : { top_p: config.topP }),
    ...(config.topK === undefined ? {} : { top_k: config.topK }),
    ...(config.stopSequences === undefined ? {} : { stop: config.stopSequences }),
  };
}

/** Only gpt-oss knows levels; it cannot be told not to think. */
function think(config: RequestConfig, model: string): JsonValue | undefined {
  const reasoning = config.reasoning;
  if (reasoning === undefined) return undefined;
  if ("budgetTokens" in reasoning) return reasoning.budgetTokens > 0;
  if (reasoning.effort === "none") return false;
  if (!model.includes("gpt-oss")) return true;
  return reasoning.effort === "minimal" ? "low" : reasoning.effort;
}

function encodeTool(tool: LlmToolDefinition): JsonObject {
  return {
    type: "function",
    function: {
      name: tool.name,
      ...(tool.description === undefined ? {} : { description: tool.description }),
      parameters: tool.inputSchema,
    },
  };
}
