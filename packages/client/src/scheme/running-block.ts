/** The block that a response is speaking in, on wires that do not say where a block begins: another kind ends it. */
import type { ReasoningData } from "../item.js";
import type { ResponseWriter } from "./response-writer.js";

export type SpokenKind = "text" | "thinking" | "refusal";

export class RunningBlock {
  readonly #response: ResponseWriter;
  /** What goes back to the provider with a block of this kind that ends. */
  readonly #dataOf: (kind: SpokenKind) => ReasoningData | undefined;
  #open: { readonly kind: SpokenKind; readonly index: number } | undefined;

  constructor(response: ResponseWriter, dataOf: (kind: SpokenKind) => ReasoningData | undefined) {
    this.#response = response;
    this.#dataOf = dataOf;
  }

  say(kind: SpokenKind, text: string): void {
    if (text !== "") this.#response.delta(this.ensure(kind), kind, text);
  }

  /** The index of the running block of this kind, which may begin now. */
  ensure(kind: SpokenKind): number {
    if (this.#open?.kind === kind) return this.#open.index;
    this.close();
    const index = this.#response.open({ type: kind });
    this.#open = { kind, index };
    return index;
  }

  close(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#response.stop(open.index, this.#dataOf(open.kind));
  }
}
