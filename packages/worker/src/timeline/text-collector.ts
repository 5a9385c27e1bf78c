import type { BlockHandler } from "./handler.js";
import type { BlockOf, BlockPart } from "./kind.js";

interface Buffer {
  text: string;
}

/** Collects the texts of finished blocks, in the order in which they finish; empty and aborted ones leave nothing. */
class BlockTexts<T extends "text" | "thinking"> implements BlockHandler<BlockOf<T>, Buffer> {
  #texts: string[] = [];

  scope(): Buffer {
    return { text: "" };
  }

  onEvent(scope: Buffer, part: BlockPart<BlockOf<T>>): void {
    if (part.type === "delta") scope.text += part.text;
    else if (part.type === "stop" && scope.text !== "") this.#texts.push(scope.text);
  }

  collected(): readonly string[] {
    return this.#texts;
  }

  /** What was collected, and forgets it. */
  takeCollected(): string[] {
    const taken = this.#texts;
    this.#texts = [];
    return taken;
  }

  hasContent(): boolean {
    return this.#texts.length > 0;
  }

  clear(): void {
    this.#texts = [];
  }
}

/** `timeline.onBlock(TextBlock, new TextBlockCollector())` */
export class TextBlockCollector extends BlockTexts<"text"> {}

/** `timeline.onBlock(ThinkingBlock, new ThinkingCollector())` */
export class ThinkingCollector extends BlockTexts<"thinking"> {}
