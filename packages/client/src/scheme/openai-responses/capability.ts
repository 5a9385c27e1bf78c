/** What the Responses API cannot carry. */
import type { ConfigWarning } from "../../client.js";
import type { RequestConfig } from "../../request.js";
import { modelWarnings } from "../openai-models.js";

export function capability(config: RequestConfig, model = ""): readonly ConfigWarning[] {
  const warnings = modelWarnings(config, model);
  if (config.topK !== undefined)
    warnings.push({ option: "topK", message: "The Responses API has no top_k; nothing is sent." });
  if (config.stopSequences !== undefined && config.stopSequences.length > 0) {
    warnings.push({ option: "stopSequences", message: "The Responses API has no stop sequences; nothing is sent." });
  }
  if (config.reasoning !== undefined && "budgetTokens" in config.reasoning) {
    warnings.push({
      option: "reasoning.budgetTokens",
      message: "The Responses API takes an effort, not a budget; nothing is sent.",
    });
  }
  if (config.cache?.ttl !== undefined) {
    warnings.push({ option: "cache.ttl", message: "OpenAI caches by itself; only a cache key is sent." });
  }
  return warnings;
}
