/**
 * Request to the body of generateContent. The model and streaming are in the URL. The conversation comes last, so that
 * a longer history only appends.
 * @see https://ai.google.dev/api/generate-content
 */
import { itemText } from "../../item.js";
import type { JsonObject } from "../../json.js";
import { asObject } from "../../json-readers.js";
import type { Request, RequestConfig } from "../../request.js";
import type { EncodeOptions } from "../../scheme.js";
import { answers } from "../answers.js";
import { withExtraTools } from "../extra-tools.js";
import { bodyText, jsonText, KeptText, listText } from "../kept-text.js";
import { TurnText } from "../turn-text.js";
import { leadingSystem } from "../turns.js";
import { demandsSignatures, turnContents } from "./parts.js";

const toolTexts = new KeptText<Request["tools"]>();
const unsignedTexts = new TurnText((turn, calls) => turnContents(turn, calls, false), answers);
const signedTexts = new TurnText((turn, calls) => turnContents(turn, calls, true), answers);

export function encode(request: Request, options: EncodeOptions): string {
  const { config } = request;
  const hasTools = request.tools.length > 0;
  const leading = leadingSystem(request.items);
  const system = [request.systemPrompt ?? "", ...leading.map(itemText)].filter((text) => text !== "");
  const turnTexts = demandsSignatures(options.model) ? signedTexts : unsignedTexts;
  const { generationConfig: extraGeneration, ...extra } = config.extra ?? {};
  const generation = { ...generationConfig(config, options.model), ...asObject(extraGeneration) };
  return bodyText({
    ...extra,
    systemInstruction: system.length === 0 ? undefined : { parts: system.map((text) => ({ text })) },
    tools: withExtraTools(hasTools ? toolTexts.of(request.tools, toolsText) : undefined, extra.tools),
    toolConfig: (hasTools ? toolConfig(config) : undefined) ?? extra.toolConfig,
    generationConfig: Object.keys(generation).length === 0 ? undefined : generation,
    contents: listText(turnTexts.of(request.items, leading.length)),
  });
}

function toolsText(tools: Request["tools"]): string {
  return jsonText([{ functionDeclarations: tools.map(declaration) }]);
}

function declaration(tool: Request["tools"][number]): JsonObject {
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    parametersJsonSchema: tool.inputSchema,
  };
}

function toolConfig(config: RequestConfig): JsonObject | undefined {
  const choice = config.toolChoice;
  if (choice === undefined) return undefined;
  if (typeof choice === "object")
    return { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [choice.name] } };
  switch (choice) {
    case "auto":
      return { functionCallingConfig: { mode: "AUTO" } };
    case "none":
      return { functionCallingConfig: { mode: "NONE" } };
    case "required":
      return { functionCallingConfig: { mode: "ANY" } };
  }
}

function generationConfig(config: RequestConfig, model: string): JsonObject {
  const format = config.responseFormat;
  const thinking = thinkingConfig(config, model);
  return {
    ...(config.maxTokens === undefined ? {} : { maxOutputTokens: config.maxTokens }),
    ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
    ...(config.topP === undefined ? {} : { topP: config.topP }),
    ...(config.topK === undefined ? {} : { topK: config.topK }),
    ...(config.stopSequences === undefined ? {} : { stopSequences: config.stopSequences }),
    ...(format === undefined ? {} : { responseMimeType: "application/json", responseJsonSchema: format.schema }),
    ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
  };
}

/** The second generation knows budgets, later ones levels. */
export function hasBudgets(model: string): boolean {
  return model.includes("gemini-2");
}

/** Budgets for the models of the second generation, which know no levels. */
const BUDGETS = { minimal: 512, low: 1024, medium: 8192, high: 24_576 } as const;

function thinkingConfig(config: RequestConfig, model: string): JsonObject | undefined {
  const reasoning = config.reasoning;
  if (reasoning === undefined) return undefined;
  if ("budgetTokens" in reasoning) return { thinkingBudget: reasoning.budgetTokens, includeThoughts: true };
  if (hasBudgets(model)) {
    return reasoning.effort === "none"
      ? { thinkingBudget: 0 }
      : { thinkingBudget: BUDGETS[reasoning.effort], includeThoughts: true };
  }
  const thinkingLevel = levelOf(reasoning.effort, model);
  return reasoning.effort === "none" ? { thinkingLevel } : { thinkingLevel, includeThoughts: true };
}

type Effort = Extract<NonNullable<RequestConfig["reasoning"]>, { readonly effort: unknown }>["effort"];

/**
 * The nearest level that the model takes: all know low and high.
 * @see https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking
 */
export function levelOf(effort: Effort, model: string): "minimal" | "low" | "medium" | "high" {
  switch (effort) {
    case "none":
    case "minimal":
      return /flash-lite|gemini-3(\.[0-6])?-flash/.test(model) ? "minimal" : "low";
    case "medium":
      return model.includes("gemini-3-pro") ? "high" : "medium";
    case "low":
    case "high":
      return effort;
  }
}
