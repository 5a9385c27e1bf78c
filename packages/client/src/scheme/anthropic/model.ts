/** What models of different ages take; the wire does not tell, so their names must. */
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
export const MIN_BUDGET = 1024;
const BUDGETS = { minimal: MIN_BUDGET, low: 2048, medium: 8192, high: 16_384 } as const;

/** What a request asks of the model's thinking; `budget` for models that do not decide by themselves. */
export interface Thinking {
  readonly type: "disabled" | "adaptive" | "enabled";
  readonly budget?: number;
}

/** Undefined where nothing is asked, or where the limit leaves no room to think. */
export function thinkingOf(config: RequestConfig, model: string): Thinking | undefined {
  const { reasoning } = config;
  if (reasoning === undefined) return undefined;
  const effort = "effort" in reasoning ? reasoning.effort : undefined;
  if (effort === "none") return { type: "disabled" };
  const decides = effort !== undefined && (modelVersion(model) ?? ADAPTIVE_BEGINS) >= ADAPTIVE_BEGINS;
  if (decides || refusesBudget(model)) return { type: "adaptive" };
  const asked = "budgetTokens" in reasoning ? reasoning.budgetTokens : 0;
  const wanted = effort === undefined ? asked : BUDGETS[effort];
  // The budget is a part of the limit, and must leave something for the answer.
  const most = config.maxTokens === undefined ? Number.POSITIVE_INFINITY : config.maxTokens - 1;
  if (most < MIN_BUDGET) return undefined;
  return { type: "enabled", budget: Math.min(Math.max(wanted, MIN_BUDGET), most) };
}
