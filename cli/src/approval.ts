/** Destructive tools run only when somebody says so. */
import { createInterface } from "node:readline/promises";
import type { Hooks } from "@tsukumo/worker";

export interface ApprovalOptions {
  /** Everything is approved. */
  readonly yes: boolean;
  /** There is a person to ask. */
  readonly interactive: boolean;
}

/** A PreToolCall hook that asks `y/n/always` on the terminal. */
export function approvalHook(options: ApprovalOptions): Hooks["PreToolCall"] {
  const always = new Set<string>();
  // Calls of one batch ask one after the other.
  return async ({ call, meta, signal }) => {
    if (meta.effect !== "destructive" || options.yes || always.has(meta.name)) return { action: "continue" };
    if (!options.interactive) {
      return {
        action: "synthetic_result",
        isError: true,
        content: `${meta.name} is destructive and nobody is there to approve it. It was not run.`,
      };
    }
    const answer = await ask(`Run ${meta.name} ${call.arguments || "{}"}? It is destructive. [y/n/always] `, signal);
    if (answer === "always") always.add(meta.name);
    if (answer === "always" || answer === "y" || answer === "yes") return { action: "continue" };
    return { action: "synthetic_result", isError: true, content: `The user refused to run ${meta.name}.` };
  };
}

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question(question, { signal })).trim().toLowerCase();
  } finally {
    prompt.close();
  }
}
