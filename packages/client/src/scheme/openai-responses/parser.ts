/**
 * The Responses API to Events, from OpenAI and from servers of the Open Responses specification.
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
import type { JsonObject, JsonValue } from "../../json.js";
import { asArray, asNumber, asObject, asText, parseObject } from "../../json-readers.js";
import type { Lesson, WireParser } from "../parser.js";
import { ResponseWriter } from "../response-writer.js";
import { CallOutput } from "./call-output.js";
import { openItem } from "./output.js";
import { argumentsText, type OutputItem, type PartKind } from "./part.js";
import { errorOf, incompleteReason, usageOf } from "./terminal.js";

/** More text for one part of one item. */
export interface ResponsesTag {
  readonly kind: PartKind;
  readonly output: number;
  readonly part: number;
}

export class ResponsesParser implements WireParser<ResponsesTag> {
  readonly response = new ResponseWriter();
  readonly #newId: () => string;
  /** By output index: item ids differ between the events of one item on some servers. */
  readonly #items = new Map<number, OutputItem>();
  /** Items that were done; a completed response repeats them. */
  readonly #seen = new Set<number>();
  #called = false;
  #refused = false;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  message(name: string, data: string): Lesson<ResponsesTag> | undefined {
    const event = parseObject(data);
    if (event === undefined) {
      if (data.trimStart().startsWith("{"))
        this.response.error("The provider sent an event that is not JSON.", "parse_error");
      else if (data.trim() !== "[DONE]") this.response.unhandled(name, data);
      return undefined;
    }
    const type = asText(event.type) ?? (event.object === "response" ? "response" : name);
    if (this.response.ended) {
      this.response.unhandled(type, data);
      return undefined;
    }
    return this.#event(type, event, data);
  }

  repeat(tag: ResponsesTag, text: string, line: string, start: number, end: number): void {
    if (this.response.ended || !this.#delta(tag, text)) this.message("", line.slice(start, end));
  }

  end(failure = "stream_ended"): void {
    this.response.fail(failure);
  }

  #event(type: string, event: JsonObject, data: string): Lesson<ResponsesTag> | undefined {
    const part = PARTS[type];
    if (part !== undefined) return this.#text(type, part, event, data);
    switch (type) {
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        this.response.start();
        break;
      case "response.output_item.added":
        this.#added(event, data);
        break;
      case "response.output_item.done":
        this.#done(asNumber(event.output_index) ?? 0, asObject(event.item), data);
        break;
      case "response.content_part.added":
      case "response.content_part.done":
      case "response.reasoning_summary_part.added":
      case "response.reasoning_summary_part.done":
        // Their texts arrive as deltas, and whole with the item.
        break;
      case "response.output_text.annotation.added":
        if (event.annotation !== undefined)
          this.#item(event)?.annotate(asNumber(event.content_index) ?? 0, event.annotation);
        break;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        this.#finish(type, asObject(event.response));
        break;
      case "response":
        // A server that was asked to stream and did not answers with the response itself.
        this.#finish(`response.${asText(event.status) ?? "completed"}`, event);
        break;
      case "error":
        this.#fail(event);
        break;
      default:
        if (type === "" && event.error !== undefined && event.error !== null) this.#fail(event);
        else this.response.unhandled(type, data);
    }
    return undefined;
  }

  #fail(value: JsonObject): void {
    const { message, code } = errorOf(value);
    this.response.error(message, code);
  }

  #text(type: string, part: PartEvent, event: JsonObject, data: string): Lesson<ResponsesTag> | undefined {
    const tag = { kind: part.kind, output: asNumber(event.output_index) ?? 0, part: asNumber(event[part.index]) ?? 0 };
    const text = argumentsText(event[part.field]);
    if (part.whole) {
      if (this.#items.get(tag.output)?.whole(tag.kind, tag.part, text) !== true) this.response.unhandled(type, data);
      return undefined;
    }
    if (!this.#delta(tag, text)) {
      this.response.unhandled(type, data);
      return undefined;
    }
    return typeof event.delta === "string" ? { tag, text, shape: DELTA_SHAPE } : undefined;
  }

  /** False where no item takes it. */
  #delta(tag: ResponsesTag, text: string): boolean {
    let item = this.#items.get(tag.output);
    if (item === undefined && !this.#seen.has(tag.output)) {
      item = this.#open(tag.output, { type: IMPLIED_ITEMS[tag.kind] });
    }
    if (tag.kind === "refusal" && text !== "") this.#refused = true;
    return item?.delta(tag.kind, tag.part, text) ?? false;
  }

  #item(event: JsonObject): OutputItem | undefined {
    return this.#items.get(asNumber(event.output_index) ?? 0);
  }

  #added(event: JsonObject, data: string): void {
    const item = asObject(event.item);
    const index = asNumber(event.output_index) ?? 0;
    const early = this.#items.get(index);
    if (item?.type === "function_call" && early instanceof CallOutput && early.adopt(item)) return;
    this.#close(index);
    if (item === undefined || this.#open(index, item) === undefined) {
      this.response.unhandled(`response.output_item.added:${asText(item?.type) ?? ""}`, data);
    }
  }

  #open(index: number, item: JsonObject): OutputItem | undefined {
    const opened = openItem(item, this.response, this.#newId);
    if (opened === undefined) return undefined;
    this.#called ||= item.type === "function_call" || item.type === "custom_tool_call";
    this.#items.set(index, opened);
    return opened;
  }

  #done(index: number, item: JsonObject | undefined, data: string): void {
    const opened = this.#items.get(index) ?? (item === undefined ? undefined : this.#open(index, item));
    if (opened === undefined || item === undefined) {
      this.response.unhandled(`response.output_item.done:${asText(item?.type) ?? ""}`, data);
      return;
    }
    opened.done(item);
    this.#close(index);
  }

  #close(index: number): void {
    const item = this.#items.get(index);
    if (item === undefined) return;
    this.#items.delete(index);
    this.#seen.add(index);
    item.close();
  }

  #finish(type: string, response: JsonObject | undefined): void {
    this.response.start();
    this.#catchUp(asArray(response?.output) ?? []);
    const usage = asObject(response?.usage);
    if (usage !== undefined) this.response.usage(usageOf(usage));
    if (type === "response.failed") {
      this.#fail(response ?? {});
      return;
    }
    for (const index of [...this.#items.keys()]) this.#close(index);
    if (type === "response.incomplete") this.response.stopReason(incompleteReason(response));
    else this.response.stopReason(this.#called ? "tool_use" : this.#refused ? "refusal" : "end_turn");
    this.response.complete();
  }

  /** Items that the stream left out; the response has them all. */
  #catchUp(output: readonly JsonValue[]): void {
    // Indices do not always match between the stream and its end, so this helps only where nothing was streamed.
    if (this.#seen.size > 0) return;
    for (const [index, value] of output.entries()) {
      const item = asObject(value);
      if (item?.type === "message" && JSON.stringify(item.content ?? "").includes('"refusal"')) this.#refused = true;
      if (item !== undefined) this.#done(index, item, JSON.stringify(item));
    }
  }
}

interface PartEvent {
  readonly kind: PartKind;
  /** The field that holds the text. */
  readonly field: string;
  /** The field that counts the parts. */
  readonly index: string;
  readonly whole: boolean;
}

/** Some gateways give an item another id in each event. */
const DELTA_SHAPE = { text: "delta", ignored: ["sequence_number", "obfuscation"], loose: ["item_id"] } as const;

const IMPLIED_ITEMS = {
  text: "message",
  refusal: "message",
  summary: "reasoning",
  reasoning: "reasoning",
  arguments: "function_call",
} as const satisfies Record<PartKind, string>;

const PARTS: Readonly<Record<string, PartEvent>> = {
  "response.output_text.delta": { kind: "text", field: "delta", index: "content_index", whole: false },
  "response.output_text.done": { kind: "text", field: "text", index: "content_index", whole: true },
  "response.refusal.delta": { kind: "refusal", field: "delta", index: "content_index", whole: false },
  "response.refusal.done": { kind: "refusal", field: "refusal", index: "content_index", whole: true },
  "response.reasoning_text.delta": { kind: "reasoning", field: "delta", index: "content_index", whole: false },
  "response.reasoning_text.done": { kind: "reasoning", field: "text", index: "content_index", whole: true },
  // The name that Open Responses servers and some gateways use.
  "response.reasoning.delta": { kind: "reasoning", field: "delta", index: "content_index", whole: false },
  "response.reasoning.done": { kind: "reasoning", field: "text", index: "content_index", whole: true },
  "response.reasoning_summary_text.delta": { kind: "summary", field: "delta", index: "summary_index", whole: false },
  "response.reasoning_summary_text.done": { kind: "summary", field: "text", index: "summary_index", whole: true },
  "response.function_call_arguments.delta": { kind: "arguments", field: "delta", index: "content_index", whole: false },
  "response.function_call_arguments.done": {
    kind: "arguments",
    field: "arguments",
    index: "content_index",
    whole: true,
  },
  "response.mcp_call_arguments.delta": { kind: "arguments", field: "delta", index: "content_index", whole: false },
  "response.mcp_call_arguments.done": { kind: "arguments", field: "arguments", index: "content_index", whole: true },
};
