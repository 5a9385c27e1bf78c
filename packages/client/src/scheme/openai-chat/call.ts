/** Which tool call a `tool_calls` delta belongs to: servers disagree on ids, indices and the order of fields. */
import type { ReasoningData } from "../../item.js";
import type { JsonObject, JsonValue } from "../../json.js";
import { asNumber, asObject, asText, isObject, parseObject } from "../../json-readers.js";
import type { ResponseWriter } from "../response-writer.js";

export const SCHEME = "openai-chat";

export class ChatCalls {
  readonly #response: ResponseWriter;
  readonly #newId: () => string;
  readonly #calls: ChatCall[] = [];

  constructor(response: ResponseWriter, newId: () => string) {
    this.#response = response;
    this.#newId = newId;
  }

  get any(): boolean {
    return this.#calls.length > 0;
  }

  /** A call has begun its arguments and not ended them. */
  get half(): boolean {
    return this.#calls.some((call) => call.isHalf);
  }

  /** The entries of one `tool_calls`. */
  take(entries: readonly JsonObject[]): void {
    const named = new Set<ChatCall>();
    for (const entry of entries) this.#take(entry, named);
  }

  /** `named`: the calls that this chunk has named already. */
  #take(entry: JsonObject, named: Set<ChatCall>): void {
    const fields = asObject(entry.function) ?? entry;
    const name = asText(fields.name);
    const text = argumentsText(fields.arguments);
    const call = this.#route(asText(entry.id), asNumber(entry.index), name, text, named);
    if (name !== undefined) named.add(call);
    call.name(name);
    call.note(entry);
    call.arguments(text);
  }

  /** Arguments for the call at an index, or for the current one. */
  append(index: number | undefined, text: string): void {
    this.#route(undefined, index).arguments(text);
  }

  closeAll(): void {
    for (const call of this.#calls) call.close();
  }

  #route(
    id: string | undefined,
    index: number | undefined,
    name?: string,
    text = "",
    named?: ReadonlySet<ChatCall>,
  ): ChatCall {
    if (id !== undefined) {
      const known = this.#calls.find((call) => call.id === id);
      if (known !== undefined) return known;
    }
    const current =
      index === undefined
        ? this.#calls.at(-1)
        : this.#calls.findLast((call) => call.index === index || call.index === undefined);
    if (current === undefined) return this.#add(id, index);
    // Servers repeat a name from chunk to chunk; twice in one chunk it is two calls, however equal.
    if (name !== undefined && named?.has(current) && !current.isHalf) return this.#add(id, index);
    const hasOwnId = current.id !== undefined;
    if ((id === undefined || !hasOwnId) && name !== undefined && current.isOther(name, text))
      return this.#add(id, index);
    // A new id on an occupied index is a new call, unless the call there is still waiting for its id.
    if (id !== undefined && hasOwnId) return this.#add(id, index);
    current.id ??= id;
    return current;
  }

  #add(id: string | undefined, index: number | undefined): ChatCall {
    // Calls may interleave, so one that is not whole stays open until the end.
    for (const call of this.#calls) if (call.isWhole) call.close();
    const call = new ChatCall(this.#response, this.#newId, id, index);
    this.#calls.push(call);
    return call;
  }
}

class ChatCall {
  readonly index: number | undefined;
  /** The provider's id; the block may have begun before it came, with one of our own. */
  id: string | undefined;
  readonly #response: ResponseWriter;
  readonly #newId: () => string;
  #name: string | undefined;
  /** All arguments so far. */
  #arguments = "";
  /** Some servers repeat all arguments so far in each delta; the second delta tells. */
  #cumulative: boolean | undefined;
  #block: number | undefined;
  #extra: JsonValue | undefined;
  #closed = false;

  constructor(response: ResponseWriter, newId: () => string, id: string | undefined, index: number | undefined) {
    this.#response = response;
    this.#newId = newId;
    this.id = id;
    this.index = index;
  }

  /** A second name without an id: another call, unless the server only repeats the name with each delta. */
  isOther(name: string, text: string): boolean {
    if (this.#name === undefined) return false;
    if (name !== this.#name) return true;
    return text.startsWith("{") && !text.startsWith(this.#arguments) && parseObject(this.#arguments) !== undefined;
  }

  /** The arguments are an object: nothing can follow. */
  get isWhole(): boolean {
    return this.#block !== undefined && !this.#closed && parseObject(this.#arguments) !== undefined;
  }

  get isHalf(): boolean {
    return !this.#closed && this.#arguments !== "" && parseObject(this.#arguments) === undefined;
  }

  /** Opens the block: a call without a name is none, so its arguments wait for it. */
  name(name: string | undefined): void {
    if (name === undefined || this.#name !== undefined || this.#closed) return;
    this.#name = name;
    this.#open(name);
    if (this.#arguments !== "") this.#delta(this.#arguments);
  }

  /** What gateways want back with the call: Gemini's thought signature, for one. */
  note(entry: JsonObject): void {
    if (isObject(entry.extra_content)) this.#extra = entry.extra_content;
  }

  arguments(text: string): void {
    if (text === "") return;
    const before = this.#arguments;
    if (before !== "") this.#cumulative ??= text.startsWith(before);
    const fresh = this.#cumulative === true && text.startsWith(before) ? text.slice(before.length) : text;
    this.#arguments = before + fresh;
    if (this.#closed) {
      if (fresh !== "") this.#response.unhandled("arguments_after_call", fresh);
      return;
    }
    if (this.#block !== undefined) this.#delta(fresh);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#block === undefined) {
      this.#open("");
      this.#delta(this.#arguments);
    }
    if (this.#block !== undefined) this.#response.stop(this.#block, this.#reasoning());
  }

  #open(name: string): void {
    this.#block = this.#response.open({ type: "tool_use", id: this.id ?? this.#newId(), name });
  }

  #delta(text: string): void {
    if (this.#block !== undefined) this.#response.delta(this.#block, "input_json", text);
  }

  #reasoning(): ReasoningData | undefined {
    return this.#extra === undefined ? undefined : { scheme: SCHEME, extra: { extra_content: this.#extra } };
  }
}

/** Some servers send the arguments as an object instead of its text. */
function argumentsText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return isObject(value) ? JSON.stringify(value) : "";
}
