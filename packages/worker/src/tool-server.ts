/**
 * The tools of one or several workers. The server owns the map; handles read it and call tools. Only a worker
 * registers: `tableOf` is not exported from the package.
 */

import type { LlmToolDefinition } from "@tsukumo/client";
import {
  DuplicateNameError,
  freezeToolMeta,
  instantiateTools,
  type RegisteredTool,
  runTool,
  ToolContext,
  type ToolDefinition,
  ToolError,
  type ToolOutput,
} from "@tsukumo/tool";
import { effectiveSanitization } from "@tsukumo/tool/sanitize";
import { messageOf } from "./errors.js";

export type ToolServerErrorCode = "DuplicateName" | "ToolNotFound" | "ToolExecution";

export class ToolServerError extends Error {
  readonly code: ToolServerErrorCode;
  readonly toolName: string;

  constructor(code: ToolServerErrorCode, toolName: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ToolServerError";
    this.code = code;
    this.toolName = toolName;
  }
}

/** The map itself. */
export class ToolTable {
  readonly #tools = new Map<string, RegisteredTool>();
  #sorted: readonly LlmToolDefinition[] | undefined;

  get(name: string): RegisteredTool | undefined {
    return this.#tools.get(name);
  }

  /** Sorted by name in code unit order. The same array until a registration changes it. */
  sorted(): readonly LlmToolDefinition[] {
    this.#sorted ??= Object.freeze(
      [...this.#tools.values()].map(llmDefinition).sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
    return this.#sorted;
  }

  /** All or none. @throws {ToolServerError} `DuplicateName` */
  register(definitions: Iterable<ToolDefinition>): void {
    let made: Map<string, RegisteredTool>;
    try {
      made = instantiateTools(definitions, this.#tools);
    } catch (cause) {
      if (!(cause instanceof DuplicateNameError)) throw cause;
      throw new ToolServerError("DuplicateName", cause.toolName, cause.message, cause);
    }
    for (const [name, entry] of made) this.#tools.set(name, entry);
    this.#sorted = undefined;
  }

  replace(definition: ToolDefinition): void {
    const [meta, tool] = definition();
    this.#tools.set(meta.name, { meta: freezeToolMeta(meta), tool });
    this.#sorted = undefined;
  }

  remove(name: string): boolean {
    this.#sorted = undefined;
    return this.#tools.delete(name);
  }
}

/** The way in for the worker. */
export let tableOf: (server: ToolServer) => ToolTable;

export class ToolServer {
  readonly #table = new ToolTable();
  readonly #handle = new ToolServerHandle(this.#table);

  /** The cheap shared reference; live: it sees what is registered later. */
  handle(): ToolServerHandle {
    return this.#handle;
  }

  static {
    tableOf = (server) => server.#table;
  }
}

/** Reads and calls; registers nothing. */
export class ToolServerHandle {
  readonly #table: ToolTable;

  constructor(table: ToolTable) {
    this.#table = table;
  }

  getTool(name: string): RegisteredTool | undefined {
    return this.#table.get(name);
  }

  /**
   * Runs a tool.
   * @param inputJson the arguments as JSON text; `""` means none
   * @throws {ToolServerError} `ToolNotFound`, or `ToolExecution` with the ToolError as its cause
   */
  async callTool(name: string, inputJson: string, context: ToolContext = new ToolContext()): Promise<ToolOutput> {
    const entry = this.#table.get(name);
    if (entry === undefined) {
      const missing = ToolError.notFound(name, this.#names());
      throw new ToolServerError("ToolNotFound", name, missing.message, missing);
    }
    try {
      return await runTool(entry.tool, inputJson, context, effectiveSanitization(entry.meta.sanitize, "tokens"));
    } catch (cause) {
      throw new ToolServerError("ToolExecution", name, `Tool ${JSON.stringify(name)}: ${messageOf(cause)}`, cause);
    }
  }

  /** What a request tells the model: sorted by name, the same tools always give the same list. */
  toolDefinitionsSorted(): readonly LlmToolDefinition[] {
    return this.#table.sorted();
  }

  #names(): string[] {
    return this.#table.sorted().map((definition) => definition.name);
  }
}

function llmDefinition({ meta }: RegisteredTool): LlmToolDefinition {
  return Object.freeze({ name: meta.name, description: meta.description, inputSchema: meta.inputSchema });
}
