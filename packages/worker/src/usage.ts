import type { Usage } from "@tsukumo/client";

const COUNTS = [
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const satisfies readonly (keyof Usage)[];

/** The sum of two; a count that neither has stays unset. */
export function addUsage(a: Usage, b: Usage): Usage {
  return combine(a, b, (x, y) => (x ?? 0) + (y ?? 0));
}

/** Two reports of one response: the later one's counts win. */
export function mergeUsage(earlier: Usage, later: Usage): Usage {
  return combine(earlier, later, (x, y) => y ?? x ?? 0);
}

function combine(a: Usage, b: Usage, pick: (x: number | undefined, y: number | undefined) => number): Usage {
  const result: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const count of COUNTS) {
    if (a[count] !== undefined || b[count] !== undefined) result[count] = pick(a[count], b[count]);
  }
  return result;
}
