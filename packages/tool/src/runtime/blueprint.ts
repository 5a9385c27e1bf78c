/** What emitted code hands to the runtime for each tool, and the tool made of it. */
import { ToolContext } from "../context.js";
import type { Tool, ToolDefinition } from "../definition.js";
import { type ArgumentIssue, ToolError } from "../error.js";
import type { JsonObject, JsonSchema, JsonValue } from "../json.js";
import { freezeToolMeta, type ToolMeta } from "../meta.js";
import { ToolOutput } from "../output.js";
import { decodeArguments } from "./decode.js";
import { explain } from "./explain.js";

/** The part that tools, prompts and resources share. */
export interface Blueprint<Meta extends { readonly name: string; readonly inputSchema: JsonSchema }> {
  readonly meta: Meta;
  /** Accepts exactly what `meta.inputSchema` accepts. */
  readonly is: (value: unknown) => boolean;
  /** Turns JSON's forms into the classes that the function takes; the value is a valid one and may be changed. */
  readonly revive?: (args: unknown) => unknown;
  /** Switches the repair of arguments off. */
  readonly strict?: boolean;
  readonly call: (args: unknown, context: ToolContext, self: unknown) => unknown;
}

export interface ToolBlueprint extends Blueprint<ToolMeta> {
  /** What the model reads of the returned value, from a response template; JSON without it. */
  readonly response?: (value: unknown) => string;
}

/** The schema of a generated tool's arguments; undefined for another tool. Not part of the class's face. */
export let inputSchemaOf: (tool: Tool) => JsonSchema | undefined;

/** A tool around a function or a method; `self` is the instance that a method belongs to. */
export class GeneratedTool<Args = unknown, Result = unknown> implements Tool {
  readonly #blueprint: ToolBlueprint;
  readonly #self: unknown;

  static {
    inputSchemaOf = (tool) => (#blueprint in tool ? tool.#blueprint.meta.inputSchema : undefined);
  }

  constructor(blueprint: ToolBlueprint, self?: unknown) {
    this.#blueprint = blueprint;
    this.#self = self;
  }

  /**
   * Checks the arguments, then calls the function.
   * @throws {ToolError} `InvalidArgument` before the function runs; `ExecutionFailed` for what it throws
   */
  async execute(inputJson: string, context: ToolContext): Promise<ToolOutput> {
    const args = decodeArguments(this.#blueprint, inputJson);
    try {
      const value = await this.#blueprint.call(args, context, this.#self);
      const { response } = this.#blueprint;
      return response === undefined ? ToolOutput.from(value) : responseOutput(value, response);
    } catch (thrown) {
      throw ToolError.from(thrown);
    }
  }

  /** Calls the function with typed arguments, without a check; what it throws comes out as it is. */
  async call(args: Args, context: ToolContext = new ToolContext()): Promise<Awaited<Result>> {
    // The blueprint was printed from the signature that Result was taken from.
    return (await this.#blueprint.call(args, context, this.#self)) as Awaited<Result>;
  }

  /** Whether parsed arguments fit as they are; stops at the first problem. */
  accepts(args: unknown): args is Args {
    return this.#blueprint.is(args);
  }

  /** What is wrong with parsed arguments, without repairing them; empty where they fit. */
  validate(args: unknown): readonly ArgumentIssue[] {
    return this.#blueprint.is(args) ? FITS : explain(this.#blueprint.meta.inputSchema, args);
  }

  /** The checked arguments of a call. @throws {ToolError} `InvalidArgument` with every problem */
  decode(inputJson: string): Args {
    // Args was taken from the signature that the check was printed from.
    return decodeArguments(this.#blueprint, inputJson) as Args;
  }
}

/** The rendered text for the model; the value stays as the structured output and as metadata. */
function responseOutput(value: unknown, response: (value: unknown) => string): ToolOutput {
  const output = ToolOutput.from(value).withContent(response(value));
  const { structured } = output;
  return isJsonObject(structured) ? output.withMetadata(structured) : output;
}

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const FITS: readonly ArgumentIssue[] = Object.freeze([]);

/** A definition over a blueprint; the meta is shared by all instances. */
export function definition(blueprint: ToolBlueprint, self?: unknown): ToolDefinition {
  return () => [freezeToolMeta(blueprint.meta), new GeneratedTool(blueprint, self)];
}
