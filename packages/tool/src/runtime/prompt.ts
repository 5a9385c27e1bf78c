/** A prompt around a function. */
import { ToolContext } from "../context.js";
import { ToolError } from "../error.js";
import type { Prompt, PromptDefinition, PromptMeta, PromptOutput } from "../prompt.js";
import type { Blueprint } from "./blueprint.js";
import { decodeValue } from "./decode.js";

export type PromptBlueprint = Blueprint<PromptMeta>;

export function promptDefinition(blueprint: PromptBlueprint): PromptDefinition {
  return () => [Object.freeze(blueprint.meta), new GeneratedPrompt(blueprint)];
}

class GeneratedPrompt implements Prompt {
  readonly #blueprint: PromptBlueprint;

  constructor(blueprint: PromptBlueprint) {
    this.#blueprint = blueprint;
  }

  async get(args: Readonly<Record<string, unknown>>, context: ToolContext = new ToolContext()): Promise<PromptOutput> {
    const decoded = decodeValue(this.#blueprint, structuredClone(args));
    try {
      return promptOutput(await this.#blueprint.call(decoded, context, undefined));
    } catch (thrown) {
      throw ToolError.from(thrown);
    }
  }
}

/** Text becomes one user message. */
function promptOutput(value: unknown): PromptOutput {
  if (isPromptOutput(value)) return value;
  const content = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return { messages: [{ role: "user", content }] };
}

function isPromptOutput(value: unknown): value is PromptOutput {
  return typeof value === "object" && value !== null && "messages" in value && Array.isArray(value.messages);
}
