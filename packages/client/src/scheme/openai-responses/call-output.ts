/** Calls, of our functions and of the provider's own tools, and what else is only passed on. */
import type { Block, BlockDelta } from "../../event.js";
import type { JsonObject } from "../../json.js";
import { asText } from "../../json-readers.js";
import type { ResponseWriter } from "../response-writer.js";
import { argumentsText, type OutputItem, type PartKind, SCHEME, Told } from "./part.js";

/** A call of a function of ours. A custom tool's plain text input becomes `{"input": …}`. */
export class CallOutput implements OutputItem {
  readonly #response: ResponseWriter;
  readonly #newId: () => string;
  readonly #told = new Told();
  #pending = "";
  #item: JsonObject;
  #index: number | undefined;

  constructor(response: ResponseWriter, newId: () => string, item: JsonObject) {
    this.#response = response;
    this.#newId = newId;
    this.#item = item;
    this.#open();
  }

  delta(kind: PartKind, _at: number, text: string): boolean {
    if (kind !== "arguments") return false;
    this.#tell(this.#told.add(text));
    return true;
  }

  whole(kind: PartKind, _at: number, text: string): boolean {
    if (kind !== "arguments") return false;
    this.#tell(this.#told.missing(text));
    return true;
  }

  annotate(): void {}

  /** The item that deltas before it opened without a name. False where this call has its name. */
  adopt(item: JsonObject): boolean {
    if (this.#index !== undefined) return false;
    this.#item = item;
    this.#open();
    return true;
  }

  done(item: JsonObject): void {
    this.#item = item;
    this.#open();
    if (item.type === "custom_tool_call")
      this.whole("arguments", 0, JSON.stringify({ input: asText(item.input) ?? "" }));
    else this.whole("arguments", 0, argumentsText(item.arguments));
  }

  close(): void {
    this.#open(true);
    if (this.#index === undefined) return;
    const id = asText(this.#item.id);
    const namespace = asText(this.#item.namespace);
    const extra = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(this.#item.type === "custom_tool_call" ? { custom: true } : {}),
    };
    this.#response.stop(this.#index, {
      scheme: SCHEME,
      ...(id === undefined ? {} : { id }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    });
  }

  /** A call without a name is none yet. */
  #open(anyway = false): void {
    const name = asText(this.#item.name);
    if (this.#index !== undefined || (name === undefined && !anyway)) return;
    const id = asText(this.#item.call_id) ?? asText(this.#item.id) ?? this.#newId();
    this.#index = this.#response.open({ type: "tool_use", id, name: name ?? "" });
    this.#tell(this.#pending);
  }

  #tell(text: string): void {
    if (this.#index === undefined) this.#pending += text;
    else this.#response.delta(this.#index, "input_json", text);
  }
}

/** An item of the provider's own doing: repeated in the next request exactly as it came. */
export class OpaqueOutput implements OutputItem {
  readonly #response: ResponseWriter;
  readonly #index: number;
  readonly #told = new Told();
  #item: JsonObject;

  constructor(item: JsonObject, response: ResponseWriter, block: Block) {
    this.#item = item;
    this.#response = response;
    this.#index = response.open(block);
  }

  delta(kind: PartKind, _at: number, text: string): boolean {
    if (kind !== "arguments") return false;
    this.#tell("input_json", this.#told.add(text));
    return true;
  }

  whole(kind: PartKind, _at: number, text: string): boolean {
    if (kind !== "arguments") return false;
    this.#tell("input_json", this.#told.missing(text));
    return true;
  }

  annotate(): void {}

  done(item: JsonObject): void {
    this.#item = item;
  }

  close(): void {
    this.#response.stop(this.#index, { scheme: SCHEME, extra: { item: this.#item } });
  }

  #tell(type: BlockDelta["type"], text: string): void {
    this.#response.delta(this.#index, type, text);
  }
}
