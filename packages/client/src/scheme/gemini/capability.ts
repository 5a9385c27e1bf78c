/** What Gemini's generateContent cannot carry. */
import type { ConfigWarning } from "../../client.js";
import type { RequestConfig } from "../../request.js";
import { hasBudgets, levelOf } from "./request.js";

export function capability(config: RequestConfig, model = ""): readonly ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  if (config.parallelToolCalls !== undefined) {
    warnings.push({ option: "parallelToolCalls", message: "Gemini decides by itself; nothing is sent." });
  }
  if (config.cache !== undefined) {
    warnings.push({
      option: "cache",
      message: "Gemini caches by itself; for a cache of your own put cachedContent into extra.",
    });
  }
  if (config.responseFormat?.strict !== undefined) {
    warnings.push({ option: "responseFormat.strict", message: "Gemini always enforces the schema." });
  }
  const { reasoning } = config;
  if (reasoning !== undefined && "effort" in reasoning && !hasBudgets(model)) {
    const level = levelOf(reasoning.effort, model);
    if (reasoning.effort === "none")
      warnings.push({ option: "reasoning.effort", message: "Gemini 3 always thinks; the least is asked for." });
    else if (level !== reasoning.effort)
      warnings.push({
        option: "reasoning.effort",
        message: `${model} takes no ${reasoning.effort}; ${level} is sent.`,
      });
  }
  return warnings;
}
