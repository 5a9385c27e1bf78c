import type { BlockHandler } from "./handler.js";
import type { BlockOf, BlockPart } from "./kind.js";

/** A call that the model finished writing. */
export interface CollectedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them. */
  readonly arguments: string;
  /** The arguments' value; `{}` for no arguments; undefined where the text is not JSON. */
  readonly input: unknown;
}

interface Buffer {
  json: string;
}

/** Collects finished tool calls. `timeline.onBlock(ToolUseBlock, new ToolCallCollector())` */
export class ToolCallCollector implements BlockHandler<BlockOf<"tool_use">, Buffer> {
  #calls: CollectedCall[] = [];

  scope(): Buffer {
    return { json: "" };
  }

  onEvent(scope: Buffer, part: BlockPart<BlockOf<"tool_use">>): void {
    if (part.type === "delta") scope.json += part.text;
    else if (part.type === "stop") {
      const { id, name } = part.block;
      this.#calls.push({ id, name, arguments: scope.json, input: parseArguments(scope.json) });
    }
  }

  collected(): readonly CollectedCall[] {
    return this.#calls;
  }

  /** What was collected, and forgets it. */
  takeCollected(): CollectedCall[] {
    const taken = this.#calls;
    this.#calls = [];
    return taken;
  }

  hasPendingCalls(): boolean {
    return this.#calls.length > 0;
  }

  clear(): void {
    this.#calls = [];
  }
}

/** `""`, blanks and `null` are no arguments; undefined for text that is not JSON. */
export function parseArguments(json: string): unknown {
  if (json.trim() === "") return {};
  try {
    return JSON.parse(json) ?? {};
  } catch {
    return undefined;
  }
}
