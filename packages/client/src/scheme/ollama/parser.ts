/**
 * Ollama's own chat stream to Events.
 * @see https://docs.ollama.com/api/chat
 */
import type { StopReason } from "../../event.js";
import type { JsonObject, JsonValue } from "../../json.js";
import { asArray, asNumber, asObject, asText, isObject, parseObject } from "../../json-readers.js";
import type { Lesson, WireParser } from "../parser.js";
import { ResponseWriter } from "../response-writer.js";
import { RunningBlock } from "../running-block.js";

export const SCHEME = "ollama";

export type OllamaTag = "text" | "thinking";

export class OllamaParser implements WireParser<OllamaTag> {
  readonly response = new ResponseWriter();
  readonly #newId: () => string;
  readonly #running = new RunningBlock(this.response, (kind) => (kind === "thinking" ? { scheme: SCHEME } : undefined));
  #called = false;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  message(name: string, data: string): Lesson<OllamaTag> | undefined {
    const line = parseObject(data);
    if (line === undefined) {
      if (data.trimStart().startsWith("{"))
        this.response.error("The provider sent a line that is not JSON.", "parse_error");
      else this.response.unread(name, data);
      return undefined;
    }
    const error = asText(line.error) ?? asText(asObject(line.error)?.message);
    const message = asObject(line.message);
    if (this.response.ended || (error === undefined && message === undefined && line.done !== true)) {
      this.response.unhandled(name, data);
      return undefined;
    }
    if (error !== undefined) {
      this.response.error(error);
      return undefined;
    }
    this.response.start();
    if (message !== undefined) this.#message(message);
    if (line.done === true) this.#done(line);
    return message === undefined || line.done === true ? undefined : lessonOf(message);
  }

  repeat(tag: OllamaTag, text: string, line: string, start: number, end: number): void {
    if (this.response.ended) this.message("", line.slice(start, end));
    else this.#running.say(tag, text);
  }

  end(failure = "stream_ended"): void {
    this.response.fail(failure);
  }

  #message(message: JsonObject): void {
    this.#running.say("thinking", asText(message.thinking) ?? "");
    this.#running.say("text", asText(message.content) ?? "");
    for (const value of asArray(message.tool_calls) ?? []) {
      const call = asObject(value);
      const called = asObject(call?.function);
      if (called === undefined) continue;
      this.#running.close();
      this.#called = true;
      const id = asText(call?.id) ?? this.#newId();
      const index = this.response.open({ type: "tool_use", id, name: asText(called.name) ?? "" });
      this.response.delta(index, "input_json", argumentsText(called.arguments));
      this.response.stop(index);
    }
  }

  #done(line: JsonObject): void {
    this.#running.close();
    this.response.usage({ inputTokens: asNumber(line.prompt_eval_count), outputTokens: asNumber(line.eval_count) });
    this.response.stopReason(stopReason(asText(line.done_reason), this.#called));
    this.response.complete();
  }
}

function stopReason(reason: string | undefined, called: boolean): StopReason {
  // Old servers tell no reason.
  if (reason === "stop" || reason === undefined) return called ? "tool_use" : "end_turn";
  return reason === "length" ? "max_tokens" : "other";
}

function lessonOf(message: JsonObject): Lesson<OllamaTag> | undefined {
  const content = asText(message.content);
  const thinking = asText(message.thinking);
  if (message.tool_calls !== undefined || (content === undefined) === (thinking === undefined)) return undefined;
  if (content !== undefined) return { tag: "text", text: content, shape: CONTENT };
  return thinking === undefined ? undefined : { tag: "thinking", text: thinking, shape: THINKING };
}

const CONTENT = { text: "message.content", ignored: ["created_at"] } as const;
const THINKING = { text: "message.thinking", ignored: ["created_at"] } as const;

function argumentsText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return isObject(value) ? JSON.stringify(value) : "";
}
