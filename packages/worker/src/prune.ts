/** A policy for `prune`: the oldest tool outputs go first when a request would grow too long. */
import { type Item, itemText } from "@tsukumo/client";
import type { PrunePolicy } from "./projection.js";

export interface PruneOptions {
  /** Prunes when a request is estimated to have more input tokens than this. */
  readonly maxTokens: number;
  /** Prunes until it has at most this many; 70 % of `maxTokens` by default. Fewer, larger cuts keep caches warm. */
  readonly targetTokens?: number;
  /** The newest outputs, which stay; 3 by default. */
  readonly keepLast?: number;
  /** Outputs with fewer tokens stay; 100 by default. */
  readonly minTokens?: number;
}

/** Estimates from what the provider measured last, and one token for four characters of what came since. */
export function pruneOldOutputs(options: PruneOptions): PrunePolicy {
  const { maxTokens, targetTokens = Math.floor(maxTokens * 0.7), keepLast = 3, minTokens = 100 } = options;
  return ({ items, from, measured }) => {
    const known = measured ?? { inputTokens: 0, items: 0 };
    let tokens = known.inputTokens;
    for (let at = known.items; at < items.length; at++) tokens += estimated(items[at]);
    if (tokens <= maxTokens) return [];

    const outputs = items.slice(from).filter((item) => item.type === "function_call_output");
    const pruned: string[] = [];
    for (const output of outputs.slice(0, Math.max(0, outputs.length - keepLast))) {
      if (tokens <= targetTokens) break;
      const saved = estimated(output);
      if (saved < minTokens) continue;
      tokens -= saved;
      pruned.push(output.callId);
    }
    return pruned;
  };
}

function estimated(item: Item | undefined): number {
  return item === undefined ? 0 : Math.ceil(itemText(item).length / 4);
}
