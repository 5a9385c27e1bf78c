/** Functions as prompts: what a person picks in an MCP client. */
import type { ToolContext } from "./context.js";
import type { JsonSchema } from "./json.js";

export interface PromptMeta {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object; clients send every argument as text. */
  readonly inputSchema: JsonSchema;
}

/** An argument as MCP lists it. */
export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface PromptMessage {
  readonly role: "user" | "assistant" | "system";
  readonly content: string;
}

export interface PromptOutput {
  readonly messages: readonly PromptMessage[];
}

export interface Prompt {
  /**
   * The prompt's messages.
   * @param args text where the parameter is a number or a boolean is read as one
   * @throws {ToolError} `InvalidArgument` with every problem, or `ExecutionFailed`
   */
  get(args: Readonly<Record<string, unknown>>, context?: ToolContext): Promise<PromptOutput>;
}

export type PromptDefinition = () => readonly [PromptMeta, Prompt];

/** The arguments of a prompt, in the order of the function's parameters. */
export function promptArguments(meta: PromptMeta): PromptArgument[] {
  const { properties, required } = meta.inputSchema;
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => {
    const description =
      typeof schema === "object" && schema !== null && "description" in schema ? schema.description : undefined;
    return {
      name,
      ...(typeof description === "string" ? { description } : {}),
      required: Array.isArray(required) && required.includes(name),
    };
  });
}
