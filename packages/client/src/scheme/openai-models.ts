/** What OpenAI's models refuse; the wires do not tell, so their names must. Names of other makers are taken to refuse nothing. */
import type { ConfigWarning } from "../client.js";
import type { RequestConfig } from "../request.js";

/** The o series, and everything from GPT-5 on but the chat variants. */
export function isReasoningModel(model: string): boolean {
  return /(^|\/)(o\d|gpt-([5-9]|\d\d))|codex/.test(model) && !model.includes("-chat");
}

/** Options that the model answers with an error. They are sent all the same: newer models may take them again. */
export function modelWarnings(config: RequestConfig, model: string): ConfigWarning[] {
  const { reasoning } = config;
  const warnings: ConfigWarning[] = [];
  const thinks =
    isReasoningModel(model) && !(reasoning !== undefined && "effort" in reasoning && reasoning.effort === "none");
  if (thinks) {
    for (const option of ["temperature", "topP"] as const) {
      if (config[option] !== undefined && config[option] !== 1) {
        warnings.push({ option, message: `${model} refuses ${option} while it reasons.` });
      }
    }
  }
  if (
    /gpt-5\.[1-9]/.test(model) &&
    reasoning !== undefined &&
    "effort" in reasoning &&
    reasoning.effort === "minimal"
  ) {
    warnings.push({ option: "reasoning.effort", message: `${model} refuses the effort minimal; its least is none.` });
  }
  if (/(^|\/)gpt-[34]/.test(model) && reasoning !== undefined && "effort" in reasoning) {
    warnings.push({ option: "reasoning.effort", message: `${model} does not reason and refuses an effort.` });
  }
  return warnings;
}
