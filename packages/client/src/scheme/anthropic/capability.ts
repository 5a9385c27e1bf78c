/** What Anthropic Messages cannot carry, or refuses. */
import type { ConfigWarning } from "../../client.js";
import type { RequestConfig } from "../../request.js";

export function capability(config: RequestConfig): readonly ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  const reasons =
    config.reasoning !== undefined && !("effort" in config.reasoning && config.reasoning.effort === "none");
  if (config.cache?.key !== undefined) {
    warnings.push({ option: "cache.key", message: "Anthropic caches by content; a cache key is not sent." });
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
  if (config.reasoning !== undefined && "effort" in config.reasoning && config.reasoning.effort === "minimal") {
    warnings.push({ option: "reasoning.effort", message: 'Anthropic has no effort "minimal"; "low" is sent.' });
  }
  if (config.responseFormat?.strict === false) {
    warnings.push({ option: "responseFormat.strict", message: "Anthropic always enforces the schema." });
  }
  return warnings;
}
