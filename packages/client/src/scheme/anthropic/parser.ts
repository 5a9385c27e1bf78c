/**
 * Anthropic Messages: stream events to Events.
 * @see https://platform.claude.com/docs/en/build-with-claude/streaming
 */
import type { BlockDelta } from "../../event.js";
import type { JsonObject } from "../../json.js";
import { asArray, asNumber, asObject, asText, parseObject } from "../../json-readers.js";
import { known, type Learned, type Lesson, type WireParser } from "../parser.js";
import { ResponseWriter } from "../response-writer.js";
import type { TemplateShape } from "../template.js";
import { type AnthropicBlock, openBlock } from "./block.js";
import { AnthropicUsage, errorCode, stopReason } from "./terminal.js";

/** A delta of the three kinds that make up nearly the whole stream. */
export interface AnthropicTag {
  readonly index: number;
  readonly type: BlockDelta["type"];
}

export class AnthropicParser implements WireParser<AnthropicTag> {
  readonly response = new ResponseWriter();
  readonly known = knownDeltas();
  readonly #newId: () => string;
  readonly #usage = new AnthropicUsage();
  /** By the provider's index, which need not begin at 0 or be dense. */
  readonly #blocks = new Map<number, AnthropicBlock>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  message(name: string, data: string): Lesson<AnthropicTag> | undefined {
    const message = parseObject(data);
    if (message === undefined) {
      if (data.trimStart().startsWith("{"))
        this.response.error("The provider sent an event that is not JSON.", "parse_error");
      else this.response.unhandled(name, data);
      return undefined;
    }
    if (this.response.ended) {
      this.response.unhandled(asText(message.type) ?? name, data);
      return undefined;
    }
    return this.#event(asText(message.type) ?? name, message, data);
  }

  repeat(tag: AnthropicTag, text: string, line: string, start: number, end: number): void {
    if (!this.#delta(tag.index, tag.type, text)) this.message("content_block_delta", line.slice(start, end));
  }

  end(failure = "stream_ended"): void {
    this.response.fail(failure);
  }

  #event(type: string, message: JsonObject, data: string): Lesson<AnthropicTag> | undefined {
    switch (type) {
      case "message_start":
        this.response.start();
        this.#usage.merge(asObject(asObject(message.message)?.usage), this.response);
        return undefined;
      case "content_block_start":
        this.#start(message, data);
        return undefined;
      case "content_block_delta":
        return this.#blockDelta(message, data);
      case "content_block_stop":
        this.#stop(message, data);
        return undefined;
      case "message_delta": {
        this.response.start();
        this.#usage.merge(asObject(message.usage), this.response);
        const reason = asText(asObject(message.delta)?.stop_reason);
        if (reason !== undefined) this.#end(reason);
        return undefined;
      }
      case "message_stop":
        this.#closeAll();
        this.response.complete();
        return undefined;
      case "message":
        this.#whole(message, data);
        return undefined;
      case "ping":
        this.response.ping();
        return undefined;
      case "error": {
        const error = asObject(message.error);
        this.response.error(
          asText(error?.message) ?? "The provider reported an error without a message.",
          errorCode(error),
        );
        return undefined;
      }
      default:
        this.response.unhandled(type, data);
        return undefined;
    }
  }

  #start(message: JsonObject, data: string): void {
    const content = asObject(message.content_block);
    const index = asNumber(message.index) ?? 0;
    // A server that reuses an index without a stop means a new block.
    this.#close(index);
    const block = content === undefined ? undefined : openBlock(content, this.response, this.#newId);
    if (block === undefined) this.response.unhandled(`content_block_start:${asText(content?.type) ?? ""}`, data);
    else this.#blocks.set(index, block);
  }

  #blockDelta(message: JsonObject, data: string): Lesson<AnthropicTag> | undefined {
    const index = asNumber(message.index) ?? 0;
    const delta = asObject(message.delta);
    const type = asText(delta?.type) ?? "";
    const plain = PLAIN_DELTAS[type];
    if (plain !== undefined && delta !== undefined) {
      const text = delta[plain.field];
      if (typeof text === "string" && this.#delta(index, plain.type, text)) {
        return { tag: { index, type: plain.type }, text, shape: plain.shape };
      }
    } else if (delta !== undefined && this.#blocks.get(index)?.note(type, delta) === true) {
      return undefined;
    }
    this.response.unhandled(`content_block_delta:${type}`, data);
    return undefined;
  }

  /** False where no block takes it. */
  #delta(index: number, type: BlockDelta["type"], text: string): boolean {
    if (this.response.ended) return false;
    let block = this.#blocks.get(index);
    if (block === undefined) {
      // Text without a start is still text; arguments without a name are nothing that could be called.
      if (type !== "text" && type !== "thinking") return false;
      block = openBlock({ type }, this.response, this.#newId);
      if (block === undefined) return false;
      this.#blocks.set(index, block);
    }
    block.delta(type, text);
    return true;
  }

  #stop(message: JsonObject, data: string): void {
    if (!this.#close(asNumber(message.index) ?? 0)) this.response.unhandled("content_block_stop", data);
  }

  #close(index: number): boolean {
    const block = this.#blocks.get(index);
    if (block === undefined) return false;
    this.#blocks.delete(index);
    block.close();
    return true;
  }

  #closeAll(): void {
    for (const index of [...this.#blocks.keys()]) this.#close(index);
  }

  /** A server that was asked to stream and did not answers with the message itself. */
  #whole(message: JsonObject, data: string): void {
    this.response.start();
    this.#usage.merge(asObject(message.usage), this.response);
    for (const [index, content_block] of (asArray(message.content) ?? []).entries()) {
      this.#start({ index, content_block }, data);
      this.#close(index);
    }
    const reason = asText(message.stop_reason);
    if (reason !== undefined) this.#end(reason);
    this.response.complete();
  }

  #end(reason: string): void {
    this.#closeAll();
    this.response.stopReason(stopReason(reason));
  }
}

interface PlainDelta {
  readonly type: BlockDelta["type"];
  readonly field: string;
  readonly shape: TemplateShape;
}

const PLAIN_DELTAS: Readonly<Record<string, PlainDelta>> = {
  text_delta: { type: "text", field: "text", shape: { text: "delta.text", ignored: [] } },
  thinking_delta: {
    type: "thinking",
    field: "thinking",
    shape: { text: "delta.thinking", ignored: [] },
  },
  input_json_delta: {
    type: "input_json",
    field: "partial_json",
    shape: { text: "delta.partial_json", ignored: [] },
  },
};

/** Made for the first response, not when the module loads. */
let deltas: readonly Learned<AnthropicTag>[] | undefined;

/** Deltas as Anthropic's own servers write them, in the blocks that most answers have. */
function knownDeltas(): readonly Learned<AnthropicTag>[] {
  deltas ??= [
    ...knownDelta("text_delta", 0),
    ...knownDelta("text_delta", 1),
    ...knownDelta("thinking_delta", 0),
    ...knownDelta("input_json_delta", 0),
    ...knownDelta("input_json_delta", 1),
  ];
  return deltas;
}

function knownDelta(type: string, index: number): Learned<AnthropicTag>[] {
  const plain = PLAIN_DELTAS[type];
  if (plain === undefined) return [];
  const data = JSON.stringify({ type: "content_block_delta", index, delta: { type, [plain.field]: "x" } });
  return known("content_block_delta", data, { tag: { index, type: plain.type }, text: "x", shape: plain.shape });
}
