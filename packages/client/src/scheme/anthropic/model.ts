/** What models of different ages take; the wire does not tell, so their names must. */
import type { JsonObject } from "../../json.js";
import type { RequestConfig } from "../../request.js";

/** `claude-opus-4-7` is 407; undefined for names of another form, which count as the newest. */
export function modelVersion(model: string): number | undefined {
  const match = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model);
  return match === null ? undefined : Number(match[1]) * 100 + Number(match[2] ?? 0);
}

const SAMPLING_ENDS = 407;
const ADAPTIVE_BEGINS = 406;
const BUDGETS_END = 407;

/** Temperature, top_p and top_k are errors since 4.7. */
export function refusesSampling(model: string): boolean {
  return (modelVersion(model) ?? 0) >= SAMPLING_ENDS;
}

/** Budgets are errors since 4.7, where the model decides by itself. */
export function refusesBudget(model: string): boolean {
  return (modelVersion(model) ?? 0) >= BUDGETS_END;
}

/** The least that the provider takes. */
const MIN_BUDGET = 1024;
const BUDGETS = { minimal: MIN_BUDGET, low: 2048, medium: 8192, high: 16_384 } as const;

/** The thinking tokens to ask an older model for; undefined where it decides by itself, or does not think. */
export function thinkingBudget(config: RequestConfig, model: string): number | undefined {
  const reasoning = config.reasoning;
  if (reasoning === undefined || refusesBudget(model)) return undefined;
  if ("budgetTokens" in reasoning) return reasoning.budgetTokens;
  if (reasoning.effort === "none" || (modelVersion(model) ?? ADAPTIVE_BEGINS) >= ADAPTIVE_BEGINS) return undefined;
  const budget = BUDGETS[reasoning.effort];
  // The budget is a part of the limit, and must leave something for the answer.
  return config.maxTokens === undefined ? budget : Math.max(MIN_BUDGET, Math.min(budget, config.maxTokens - 1));
}

export function thinking(config: RequestConfig, model: string): JsonObject | undefined {
  const reasoning = config.reasoning;
  if (reasoning === undefined) return undefined;
  if ("effort" in reasoning && reasoning.effort === "none") return { type: "disabled" };
  const budget = thinkingBudget(config, model);
  return budget === undefined ? { type: "adaptive" } : { type: "enabled", budget_tokens: budget };
}
