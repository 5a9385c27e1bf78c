/** What Anthropic Messages cannot carry, or refuses. */
import type { ConfigWarning } from "../../client.js";
import type { RequestConfig } from "../../request.js";
import { refusesSampling } from "./model.js";

export function capability(config: RequestConfig, model = ""): readonly ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  if (config.cache?.key !== undefined) {
    warnings.push({ option: "cache.key", message: "Anthropic caches by content; a cache key is not sent." });
  }
  warnings.push(...(refusesSampling(model) ? refused(config, model) : sampling(config)));
  if (config.reasoning !== undefined && "effort" in config.reasoning && config.reasoning.effort === "minimal") {
    warnings.push({ option: "reasoning.effort", message: 'Anthropic has no effort "minimal"; "low" is sent.' });
  }
  if (config.responseFormat?.strict === false) {
    warnings.push({ option: "responseFormat.strict", message: "Anthropic always enforces the schema." });
  }
  return warnings;
}

/** Since 4.7 the model decides by itself. */
function refused(config: RequestConfig, model: string): ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  for (const option of ["temperature", "topP", "topK"] as const) {
    if (config[option] !== undefined)
      warnings.push({ option, message: `${model} takes no ${option}; nothing is sent.` });
  }
  if (config.reasoning !== undefined && "budgetTokens" in config.reasoning) {
    warnings.push({ option: "reasoning.budgetTokens", message: `${model} decides by itself how much to think.` });
  }
  return warnings;
}

function sampling(config: RequestConfig): ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  const reasons =
    config.reasoning !== undefined && !("effort" in config.reasoning && config.reasoning.effort === "none");
  if (config.temperature !== undefined && config.temperature > 1) {
    warnings.push({ option: "temperature", message: "Anthropic takes temperatures from 0 to 1." });
  }
  if (reasons && config.temperature !== undefined && config.temperature !== 1) {
    warnings.push({
      option: "temperature",
      message: "Anthropic refuses a temperature other than 1 while the model thinks.",
    });
  }
  if (reasons && config.topK !== undefined) {
    warnings.push({ option: "topK", message: "Anthropic refuses topK while the model thinks." });
  }
  return warnings;
}
