/** The output items of a response: what each becomes, and what it gives back on its stop. */
import type { Block, BlockDelta } from "../../event.js";
import type { ReasoningData } from "../../item.js";
import type { JsonObject, JsonValue } from "../../json.js";
import { asArray, asObject, asText, isObject } from "../json.js";
import type { Response } from "../response.js";

export const SCHEME = "openai-responses";

/** Where text belongs within an item. */
export type PartKind = "text" | "refusal" | "summary" | "reasoning" | "arguments";

export interface OutputItem {
  /** More of a part. False if this item has no such part. */
  delta(kind: PartKind, part: number, text: string): boolean;
  /** All of a part. Some servers send no deltas, or fewer than the whole. */
  whole(kind: PartKind, part: number, text: string): boolean;
  annotate(part: number, annotation: JsonValue): void;
  /** The item's last word: all of it again. */
  done(item: JsonObject): void;
  close(): void;
}

/** `undefined` for a type that is not known. */
export function openItem(item: JsonObject, response: Response, newId: () => string): OutputItem | undefined {
  const type = asText(item.type) ?? "";
  switch (type) {
    case "message":
      return new MessageOutput(item, response);
    case "reasoning":
      return new ReasoningOutput(response);
    case "function_call":
    case "custom_tool_call":
      return new CallOutput(response, newId, item);
    // Not shown, but wanted back in the next request.
    case "compaction":
    case "mcp_list_tools":
    case "mcp_approval_request":
      return new OpaqueOutput(item, response, { type: "thinking" });
    default:
      return openServerItem(type, item, response);
  }
}

function openServerItem(type: string, item: JsonObject, response: Response): OutputItem | undefined {
  const id = asText(item.call_id) ?? asText(item.id) ?? "";
  if (type.endsWith("_call")) {
    const name = asText(item.name) ?? type.slice(0, -"_call".length);
    return new OpaqueOutput(item, response, { type: "server_tool_use", id, name });
  }
  if (type.endsWith("_output")) {
    return new OpaqueOutput(item, response, {
      type: "tool_result",
      toolUseId: id,
      name: type.slice(0, -"_output".length),
    });
  }
  return undefined;
}

/** How much of a part has been told, so that its whole text only adds what is missing. */
class Told {
  #text = "";

  add(text: string): string {
    this.#text += text;
    return text;
  }

  missing(whole: string): string {
    if (!whole.startsWith(this.#text)) return "";
    return this.add(whole.slice(this.#text.length));
  }
}

interface MessagePart {
  readonly kind: "text" | "refusal";
  readonly index: number;
  readonly told: Told;
  readonly annotations: JsonValue[];
}

class MessageOutput implements OutputItem {
  readonly #response: Response;
  readonly #parts = new Map<number, MessagePart>();
  #item: JsonObject;

  constructor(item: JsonObject, response: Response) {
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

class ReasoningOutput implements OutputItem {
  readonly #response: Response;
  readonly #index: number;
  readonly #parts = new Map<string, Told>();
  #item: JsonObject = {};

  constructor(response: Response) {
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

/** A call of a function of ours. A custom tool's plain text input becomes `{"input": …}`. */
class CallOutput implements OutputItem {
  readonly #response: Response;
  readonly #newId: () => string;
  readonly #told = new Told();
  #pending = "";
  #item: JsonObject;
  #index: number | undefined;

  constructor(response: Response, newId: () => string, item: JsonObject) {
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
class OpaqueOutput implements OutputItem {
  readonly #response: Response;
  readonly #index: number;
  readonly #told = new Told();
  #item: JsonObject;

  constructor(item: JsonObject, response: Response, block: Block) {
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

/** Some servers send the arguments as an object instead of its text. */
export function argumentsText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return isObject(value) ? JSON.stringify(value) : "";
}
