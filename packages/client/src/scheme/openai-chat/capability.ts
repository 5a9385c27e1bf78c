/** What OpenAI chat completions cannot carry, or refuse. */
import type { ConfigWarning } from "../../client.js";
import type { RequestConfig } from "../../request.js";
import { isReasoningModel, modelWarnings } from "../openai-models.js";

const MAX_STOP_SEQUENCES = 4;

export function capability(config: RequestConfig, model = ""): readonly ConfigWarning[] {
  const warnings = modelWarnings(config, model);
  if (config.topK !== undefined) {
    warnings.push({
      option: "topK",
      message: "OpenAI has no top_k; put it into extra for a compatible server that has.",
    });
  }
  if (config.reasoning !== undefined && "budgetTokens" in config.reasoning) {
    warnings.push({
      option: "reasoning.budgetTokens",
      message: "OpenAI takes an effort, not a budget; nothing is sent.",
    });
  }
  if (config.stopSequences !== undefined && config.stopSequences.length > MAX_STOP_SEQUENCES) {
    warnings.push({ option: "stopSequences", message: `OpenAI takes at most ${MAX_STOP_SEQUENCES} stop sequences.` });
  }
  if (config.stopSequences !== undefined && isReasoningModel(model)) {
    warnings.push({ option: "stopSequences", message: `${model} refuses stop sequences.` });
  }
  if (config.cache?.ttl !== undefined) {
    warnings.push({ option: "cache.ttl", message: "OpenAI caches by itself; only a cache key is sent." });
  }
  return warnings;
}
