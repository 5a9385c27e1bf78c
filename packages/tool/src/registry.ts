/** Tools by name, for use without a worker. */
import { type BatchCall, type BatchOptions, type BatchOutcome, runBatch } from "./batch.js";
import { ToolContext } from "./context.js";
import type { Tool, ToolDefinition } from "./definition.js";
import { ToolError } from "./error.js";
import { freezeToolMeta, type ToolMeta } from "./meta.js";
import { ToolOutput } from "./output.js";
import { effectiveSanitization, type OutputSanitization, sanitizeError, sanitizeOutput } from "./sanitize/output.js";

export interface RegisteredTool {
  readonly meta: ToolMeta;
  readonly tool: Tool;
}

/** Two tools of one name; nothing of the batch was registered. */
export class DuplicateNameError extends Error {
  readonly code = "DuplicateName";
  readonly toolName: string;

  constructor(toolName: string) {
    super(`A tool named ${JSON.stringify(toolName)} is already registered. Rename one, or replace it explicitly.`);
    this.name = "DuplicateNameError";
    this.toolName = toolName;
  }
}

/** Calls each factory once and freezes the metas. @throws {DuplicateNameError} for a name taken or given twice */
export function instantiateTools(
  definitions: Iterable<ToolDefinition>,
  taken: { has(name: string): boolean },
): Map<string, RegisteredTool> {
  const made = new Map<string, RegisteredTool>();
  for (const definition of definitions) {
    const [meta, tool] = definition();
    if (taken.has(meta.name) || made.has(meta.name)) throw new DuplicateNameError(meta.name);
    made.set(meta.name, { meta: freezeToolMeta(meta), tool });
  }
  return made;
}

export interface ToolRegistryOptions {
  /**
   * The least that is done to every output and error message, whatever a tool wishes; `tokens` unless given. With
   * `none`, tools that say `sanitize: "none"` give their output as it is, and no others.
   */
  readonly outputFloor?: OutputSanitization;
}

export class ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #outputFloor: OutputSanitization;
  readonly #listeners = new Set<() => void>();
  #sorted: readonly ToolMeta[] | undefined;

  constructor(options: ToolRegistryOptions = {}) {
    this.#outputFloor = options.outputFloor ?? "tokens";
  }

  /** A registry of these tools. @throws {DuplicateNameError} */
  static of(...definitions: readonly ToolDefinition[]): ToolRegistry {
    return new ToolRegistry().register(...definitions);
  }

  /** Registers all or none. @throws {DuplicateNameError} */
  register(...definitions: readonly ToolDefinition[]): this {
    for (const [name, entry] of instantiateTools(definitions, this.#tools)) this.#tools.set(name, entry);
    this.#changed();
    return this;
  }

  /** The same as `register`, named for chaining: `new ToolRegistry().with(a).with(b)`. */
  with(...definitions: readonly ToolDefinition[]): this {
    return this.register(...definitions);
  }

  /** Registers a tool in the place of one of the same name, or as a new one. */
  replace(definition: ToolDefinition): this {
    const [meta, tool] = definition();
    this.#tools.set(meta.name, { meta: freezeToolMeta(meta), tool });
    this.#changed();
    return this;
  }

  /** True where there was one. */
  remove(name: string): boolean {
    const removed = this.#tools.delete(name);
    if (removed) this.#changed();
    return removed;
  }

  /** Calls the listener after each change of the tools. Gives the way to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  get size(): number {
    return this.#tools.size;
  }

  /** All metas, sorted by name in code unit order: the same tools always give the same list. */
  definitions(): readonly ToolMeta[] {
    this.#sorted ??= Object.freeze(
      [...this.#tools.values()].map((entry) => entry.meta).sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
    return this.#sorted;
  }

  definition(name: string): ToolMeta | undefined {
    return this.#tools.get(name)?.meta;
  }

  tool(name: string): Tool | undefined {
    return this.#tools.get(name)?.tool;
  }

  /** A definition of every tool, over the instances that are registered here, sorted by name. */
  toolDefinitions(): ToolDefinition[] {
    return this.definitions().flatMap((meta) => {
      const entry = this.#tools.get(meta.name);
      return entry === undefined ? [] : [() => [entry.meta, entry.tool] as const];
    });
  }

  isDestructive(name: string): boolean {
    return this.#tools.get(name)?.meta.effect === "destructive";
  }

  #changed(): void {
    this.#sorted = undefined;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Runs a tool.
   * @param args the arguments as JSON text or as a value; undefined means none
   * @throws {ToolError} `NotFound` for an unknown name, `InvalidArgument` before the tool runs, `ExecutionFailed` after
   */
  async dispatch(name: string, args?: unknown, context: ToolContext = new ToolContext()): Promise<ToolOutput> {
    const entry = this.#tools.get(name);
    const level = effectiveSanitization(entry?.meta.sanitize, this.#outputFloor);
    // An unknown name is the model's own text, and its error quotes it.
    if (entry === undefined) throw sanitizeError(ToolError.notFound(name, [...this.#tools.keys()].sort()), level);
    return runTool(entry.tool, args, context, level);
  }

  /**
   * Runs several calls. Gives as many outcomes as calls, in their order; what a tool throws becomes its outcome.
   * @throws {RangeError} for a concurrency that is none
   */
  dispatchBatch(calls: readonly BatchCall[], options: BatchOptions = {}): Promise<BatchOutcome[]> {
    return runBatch(this, calls, options);
  }
}

/**
 * Runs a tool, hand-written or generated, so that only ToolErrors come out.
 * @param level how output and error are made safe; not at all unless given
 */
export async function runTool(
  tool: Tool,
  args: unknown,
  context: ToolContext,
  level: OutputSanitization = "none",
): Promise<ToolOutput> {
  try {
    const output: unknown = await tool.execute(argumentText(args), context);
    return sanitizeOutput(ToolOutput.from(output), level);
  } catch (thrown) {
    throw sanitizeError(ToolError.from(thrown), level);
  }
}

function argumentText(args: unknown): string {
  if (typeof args === "string") return args;
  if (args === undefined || args === null) return "";
  try {
    const text = JSON.stringify(args);
    if (text !== undefined) return text;
  } catch (cause) {
    throw ToolError.invalidArgument(`The arguments have no JSON form: ${String(cause)}`, [], cause);
  }
  throw ToolError.invalidArgument(`The arguments must be an object, not a ${typeof args}.`);
}
