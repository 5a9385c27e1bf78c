/** Messages and reasoning: items whose parts are text. */
import type { ReasoningData } from "../../item.js";
import type { JsonObject, JsonValue } from "../../json.js";
import { asArray, asObject, asText } from "../../json-readers.js";
import type { ResponseWriter } from "../response-writer.js";
import { type OutputItem, type PartKind, SCHEME, Told } from "./part.js";

interface MessagePart {
  readonly kind: "text" | "refusal";
  readonly index: number;
  readonly told: Told;
  readonly annotations: JsonValue[];
}

export class MessageOutput implements OutputItem {
  readonly #response: ResponseWriter;
  readonly #parts = new Map<number, MessagePart>();
  #item: JsonObject;

  constructor(item: JsonObject, response: ResponseWriter) {
    this.#item = item;
    this.#response = response;
  }

  delta(kind: PartKind, at: number, text: string): boolean {
    if (kind !== "text" && kind !== "refusal") return false;
    if (text === "") return true;
    const part = this.#part(kind, at);
    this.#response.delta(part.index, part.kind, part.told.add(text));
    return true;
  }

  whole(kind: PartKind, at: number, text: string): boolean {
    if (kind !== "text" && kind !== "refusal") return false;
    if (text === "") return true;
    const part = this.#part(kind, at);
    this.#response.delta(part.index, part.kind, part.told.missing(text));
    return true;
  }

  annotate(at: number, annotation: JsonValue): void {
    this.#parts.get(at)?.annotations.push(annotation);
  }

  done(item: JsonObject): void {
    this.#item = item;
    for (const [at, value] of (asArray(item.content) ?? []).entries()) {
      const part = asObject(value);
      if (part?.type === "refusal") this.whole("refusal", at, asText(part.refusal) ?? "");
      else if (typeof part?.text === "string") this.whole("text", at, part.text);
      const annotations = asArray(part?.annotations);
      if (annotations !== undefined)
        this.#parts.get(at)?.annotations.splice(0, Number.POSITIVE_INFINITY, ...annotations);
    }
  }

  close(): void {
    for (const part of this.#parts.values()) this.#response.stop(part.index, this.#reasoning(part));
    this.#parts.clear();
  }

  #part(kind: "text" | "refusal", at: number): MessagePart {
    const known = this.#parts.get(at);
    if (known !== undefined) return known;
    const part = { kind, index: this.#response.open({ type: kind }), told: new Told(), annotations: [] };
    this.#parts.set(at, part);
    return part;
  }

  /** The item's id and phase: newer models write better when they get them back. */
  #reasoning(part: MessagePart): ReasoningData | undefined {
    const id = asText(this.#item.id);
    const phase = asText(this.#item.phase);
    const extra = {
      ...(phase === undefined ? {} : { phase }),
      ...(part.annotations.length === 0 ? {} : { annotations: part.annotations }),
    };
    if (id === undefined && Object.keys(extra).length === 0) return undefined;
    return {
      scheme: SCHEME,
      ...(id === undefined ? {} : { id }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    };
  }
}

export class ReasoningOutput implements OutputItem {
  readonly #response: ResponseWriter;
  readonly #index: number;
  readonly #parts = new Map<string, Told>();
  #item: JsonObject = {};

  constructor(response: ResponseWriter) {
    this.#response = response;
    this.#index = response.open({ type: "thinking" });
  }

  delta(kind: PartKind, at: number, text: string): boolean {
    if (kind !== "summary" && kind !== "reasoning") return false;
    if (text !== "") this.#tell(this.#part(kind, at).add(text));
    return true;
  }

  whole(kind: PartKind, at: number, text: string): boolean {
    if (kind !== "summary" && kind !== "reasoning") return false;
    if (text !== "") this.#tell(this.#part(kind, at).missing(text));
    return true;
  }

  annotate(): void {}

  done(item: JsonObject): void {
    this.#item = item;
    for (const [at, value] of (asArray(item.summary) ?? []).entries())
      this.whole("summary", at, asText(asObject(value)?.text) ?? "");
    for (const [at, value] of (asArray(item.content) ?? []).entries())
      this.whole("reasoning", at, asText(asObject(value)?.text) ?? "");
  }

  close(): void {
    const id = asText(this.#item.id);
    const encrypted = asText(this.#item.encrypted_content);
    const content = asArray(this.#item.content) ?? [];
    this.#response.stop(this.#index, {
      scheme: SCHEME,
      ...(id === undefined ? {} : { id }),
      ...(encrypted === undefined ? {} : { encrypted }),
      summary: (asArray(this.#item.summary) ?? []).map((value) => asText(asObject(value)?.text) ?? ""),
      ...(content.length === 0 ? {} : { extra: { content } }),
    });
  }

  #part(kind: PartKind, at: number): Told {
    const key = `${kind}:${at}`;
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    // Parts are paragraphs; without a gap a heading would run into the sentence before it.
    if (this.#parts.size > 0) this.#tell("\n\n");
    const told = new Told();
    this.#parts.set(key, told);
    return told;
  }

  #tell(text: string): void {
    this.#response.delta(this.#index, "thinking", text);
  }
}
