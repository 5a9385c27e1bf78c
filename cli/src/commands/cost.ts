import { defineCommand } from "citty";
import { CliError, UsageError } from "../failure.js";
import { toolMetas } from "../tool-metas.js";

export const cost = defineCommand({
  meta: { name: "cost", description: "Count the tokens that each tool takes in every request" },
  args: {
    path: { type: "positional", required: true, description: "A TypeScript file or a folder of tools" },
    budget: {
      type: "string",
      valueHint: "n",
      description: "Exit 1 when all tools together take more tokens than this",
    },
    "tool-budget": { type: "string", valueHint: "n", description: "Exit 1 when one tool takes more tokens than this" },
    json: { type: "boolean", description: "Print {tools: [{name, tokens}], total}" },
  },
  async run({ args }) {
    const budget = limit(args.budget, "--budget");
    const toolBudget = limit(args["tool-budget"], "--tool-budget");
    // Large tables, so they are loaded only here. The encoding of OpenAI's current models; others differ by some percent.
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    const tools = toolMetas(args.path, { warnings: false })
      .map(({ name, description, inputSchema }) => ({
        name,
        tokens: countTokens(JSON.stringify({ name, description, parameters: inputSchema })),
      }))
      .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
    const total = tools.reduce((sum, tool) => sum + tool.tokens, 0);
    if (args.json === true) process.stdout.write(`${JSON.stringify({ tools, total })}\n`);
    else {
      const width = Math.max(5, ...tools.map((tool) => tool.name.length));
      for (const { name, tokens } of [...tools, { name: "total", tokens: total }])
        process.stdout.write(`${name.padEnd(width)}  ${String(tokens).padStart(6)}\n`);
    }
    const heavy = tools.filter((tool) => tool.tokens > toolBudget).map((tool) => tool.name);
    if (heavy.length > 0)
      throw new CliError(`Over ${toolBudget} tokens: ${heavy.join(", ")}. Shorten descriptions, or split the tool.`);
    if (total > budget)
      throw new CliError(`All tools take ${total} tokens, ${total - budget} over the budget of ${budget}.`);
  },
});

function limit(text: string | undefined, option: string): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new UsageError(`${option} takes a number of tokens, not ${text}.`);
  return value;
}
