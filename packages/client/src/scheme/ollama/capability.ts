/** What Ollama's chat cannot carry. */
import type { ConfigWarning } from "../../client.js";
import type { RequestConfig } from "../../request.js";

export function capability(config: RequestConfig): readonly ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  if (config.toolChoice === "required" || typeof config.toolChoice === "object") {
    warnings.push({ option: "toolChoice", message: "Ollama cannot force a call; nothing is sent." });
  }
  if (config.toolChoice === "none") {
    // Leaving the tools out would change the beginning of the prompt, and with it what is cached.
    warnings.push({ option: "toolChoice", message: "Ollama cannot forbid calls; nothing is sent. Register no tools." });
  }
  if (config.parallelToolCalls !== undefined) {
    warnings.push({ option: "parallelToolCalls", message: "Ollama leaves it to the model; nothing is sent." });
  }
  if (config.reasoning !== undefined && "budgetTokens" in config.reasoning) {
    warnings.push({ option: "reasoning.budgetTokens", message: "Ollama has no budget; thinking is only turned on." });
  }
  if (config.cache !== undefined) {
    warnings.push({
      option: "cache",
      message: "Ollama caches by itself; put keep_alive into extra to keep a model loaded.",
    });
  }
  if (config.responseFormat?.strict !== undefined) {
    warnings.push({ option: "responseFormat.strict", message: "Ollama always enforces the schema." });
  }
  return warnings;
}
