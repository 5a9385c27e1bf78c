/**
 * Chat completion chunks to Events, from OpenAI and from the many servers that speak its format.
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
import type { JsonObject, JsonValue } from "../../json.js";
import { asArray, asNumber, asObject, asText, parseObject } from "../../json-readers.js";
import type { Lesson, WireParser } from "../parser.js";
import { ResponseWriter } from "../response-writer.js";
import { type ChatTag, lessonOf } from "./lesson.js";
import { ChatMessage } from "./message.js";
import { errorOf, stopReason, usageOf } from "./terminal.js";

export class OpenAiChatParser implements WireParser<ChatTag> {
  readonly response = new ResponseWriter();
  readonly #message: ChatMessage;
  /** The choice that is read: an Event has no place for a second one. */
  #choice: number | undefined;

  constructor(newId: () => string) {
    this.#message = new ChatMessage(this.response, newId);
  }

  message(name: string, data: string): Lesson<ChatTag> | undefined {
    const chunk = parseObject(data);
    if (chunk === undefined) {
      this.#text(name, data);
      return undefined;
    }
    if (this.response.ended) {
      this.response.unhandled(name, data);
      return undefined;
    }
    const error = errorOf(name, chunk);
    if (error !== undefined) {
      this.response.error(error.message, error.code);
      return undefined;
    }
    return this.#chunk(name, chunk, data);
  }

  repeat(tag: ChatTag, text: string, line: string, start: number, end: number): void {
    if (this.response.ended) {
      this.message("", line.slice(start, end));
      return;
    }
    switch (tag.kind) {
      case "text":
        return this.#message.text(text);
      case "thinking":
        return this.#message.thinking(tag.field, text);
      case "refusal":
        return this.#message.refusal(text);
      case "arguments":
        return this.#message.argumentsOf(tag.index, text);
    }
  }

  end(failure?: string): void {
    // Not every server sends the [DONE] that ends a response, but each tells its finish reason.
    if (this.response.hasStopReason) this.response.complete();
    else this.response.fail(failure ?? "stream_ended");
  }

  /** Data that is no JSON object. */
  #text(name: string, data: string): void {
    const text = data.trim();
    if (text === "[DONE]") {
      if (this.response.ended) return;
      if (!this.response.hasStopReason && this.#message.calls.half) {
        this.response.error("The provider ended its answer in the middle of a call.", "stream_ended");
        return;
      }
      this.#message.close();
      this.response.complete();
    } else if (text.startsWith("{")) {
      this.response.error("The provider sent an event that is not JSON.", "parse_error");
    } else {
      this.response.unhandled(name, data);
    }
  }

  #chunk(name: string, chunk: JsonObject, data: string): Lesson<ChatTag> | undefined {
    const choices = asArray(chunk.choices);
    const usage = asObject(chunk.usage) ?? asObject(asObject(chunk.x_groq)?.usage);
    if (choices === undefined && usage === undefined) {
      this.response.unhandled(name === "" ? (asText(chunk.object) ?? "") : name, data);
      return undefined;
    }
    this.response.start();
    if (usage !== undefined) this.response.usage(usageOf(usage));
    let others = false;
    for (const value of choices ?? []) {
      const choice = asObject(value);
      if (choice === undefined) continue;
      const index = asNumber(choice.index) ?? 0;
      this.#choice ??= index;
      if (index === this.#choice) this.#readChoice(choice);
      else others = true;
    }
    if (others) this.response.unhandled("other_choice", data);
    return others || usage !== undefined ? undefined : lessonOf(chunk);
  }

  #readChoice(choice: JsonObject): void {
    const usage = asObject(choice.usage);
    if (usage !== undefined) this.response.usage(usageOf(usage));
    // A server that was asked to stream and did not sends a message.
    const delta = asObject(choice.delta) ?? asObject(choice.message);
    if (delta !== undefined) this.#message.take(delta);
    this.#finish(choice.finish_reason);
  }

  #finish(value: JsonValue | undefined): void {
    const reason = asText(value);
    if (reason === undefined) return;
    this.#message.close();
    this.response.stopReason(stopReason(reason, this.#message.calls.any, this.#message.refused));
  }
}
