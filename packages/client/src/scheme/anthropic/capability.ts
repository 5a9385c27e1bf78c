/** What Anthropic Messages cannot carry, or refuses. */
import type { ConfigWarning } from "../../client.js";
import type { RequestConfig } from "../../request.js";
import { MIN_BUDGET, modelVersion, refusesSampling, thinkingOf } from "./model.js";

export function capability(config: RequestConfig, model = ""): readonly ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  if (config.cache?.key !== undefined) {
    warnings.push({ option: "cache.key", message: "Anthropic caches by content; a cache key is not sent." });
  }
  warnings.push(...(refusesSampling(model) ? refused(config, model) : sampling(config, model)));
  if (config.reasoning !== undefined && "effort" in config.reasoning && config.reasoning.effort === "minimal") {
    warnings.push({ option: "reasoning.effort", message: 'Anthropic has no effort "minimal"; "low" is sent.' });
  }
  if (config.responseFormat?.strict === false) {
    warnings.push({ option: "responseFormat.strict", message: "Anthropic always enforces the schema." });
  }
  if (thinks(config, model) && (config.toolChoice === "required" || typeof config.toolChoice === "object")) {
    warnings.push({ option: "toolChoice", message: "Anthropic refuses to force a call while the model thinks." });
  }
  return warnings;
}

function thinks(config: RequestConfig, model: string): boolean {
  const asked = thinkingOf(config, model);
  return asked?.type === "enabled" || asked?.type === "adaptive";
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

function sampling(config: RequestConfig, model: string): ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  const asked = thinkingOf(config, model);
  const reasons = thinks(config, model);
  const { reasoning } = config;
  if (reasoning !== undefined && "budgetTokens" in reasoning && asked?.budget !== reasoning.budgetTokens) {
    const sent = asked?.budget === undefined ? "no thinking is asked for" : `${asked.budget} is sent`;
    const message = `A budget is at least ${MIN_BUDGET} and less than maxTokens; ${sent}.`;
    warnings.push({ option: "reasoning.budgetTokens", message });
  }
  if (reasoning !== undefined && "effort" in reasoning && asked === undefined) {
    const message = `Thinking takes more than ${MIN_BUDGET} of maxTokens; none is asked for.`;
    warnings.push({ option: "reasoning.effort", message });
  }
  if (config.temperature !== undefined && config.topP !== undefined && (modelVersion(model) ?? 0) >= 401) {
    warnings.push({ option: "topP", message: `${model} refuses topP together with temperature.` });
  }
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
