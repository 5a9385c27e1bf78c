/** The blocks of one choice: text, thinking and refusals follow each other, calls stay open until the end. */
import type { ReasoningData } from "../../item.js";
import type { JsonObject, JsonValue } from "../../json.js";
import { asArray, asObject, asText, isObject } from "../../json-readers.js";
import type { ResponseWriter } from "../response-writer.js";
import { RunningBlock } from "../running-block.js";
import { ChatCalls, SCHEME } from "./call.js";
import { ReasoningDetails } from "./details.js";

/** Where a server puts the model's reasoning; it is sent back in the same field. */
export type ReasoningField = "reasoning_content" | "reasoning" | "content";

export class ChatMessage {
  readonly calls: ChatCalls;
  refused = false;
  readonly #running: RunningBlock;
  #field: ReasoningField | undefined;
  #encrypted: string | undefined;
  #details = new ReasoningDetails();

  constructor(response: ResponseWriter, newId: () => string) {
    this.#running = new RunningBlock(response, (kind) => (kind === "thinking" ? this.#reasoningData() : undefined));
    this.calls = new ChatCalls(response, newId);
  }

  /** All of one delta, in the order in which a model speaks. */
  take(delta: JsonObject): void {
    this.#reasoning(delta);
    this.#content(delta.content);
    if (typeof delta.refusal === "string") this.refusal(delta.refusal);
    this.#calls(asArray(delta.tool_calls) ?? []);
    if (delta.function_call !== undefined) this.#calls([delta.function_call]);
  }

  text(text: string): void {
    this.#running.say("text", text);
  }

  thinking(field: ReasoningField, text: string): void {
    if (text === "") return;
    this.#running.say("thinking", text);
    this.#field = field;
  }

  refusal(text: string): void {
    if (text !== "") this.refused = true;
    this.#running.say("refusal", text);
  }

  argumentsOf(index: number | undefined, text: string): void {
    this.#running.close();
    this.calls.append(index, text);
  }

  close(): void {
    this.#running.close();
    this.calls.closeAll();
  }

  #calls(values: readonly JsonValue[]): void {
    const entries = values.filter(isObject);
    if (entries.length === 0) return;
    this.#running.close();
    this.calls.take(entries);
  }

  #reasoning(delta: JsonObject): void {
    const encrypted = asText(delta.reasoning_encrypted);
    const details = asArray(delta.reasoning_details) ?? [];
    if (typeof delta.reasoning_content === "string" && delta.reasoning_content !== "") {
      this.thinking("reasoning_content", delta.reasoning_content);
    } else if (typeof delta.reasoning === "string" && delta.reasoning !== "") {
      this.thinking("reasoning", delta.reasoning);
    } else {
      this.thinking("reasoning", this.#details.textOf(details));
    }
    if (details.length === 0 && encrypted === undefined) return;
    // Details without text still have to be sent back, so they need a block to travel on.
    this.#running.ensure("thinking");
    this.#details.take(details);
    this.#encrypted = encrypted ?? this.#encrypted;
  }

  #content(content: JsonValue | undefined): void {
    if (typeof content === "string") return this.text(content);
    for (const value of asArray(content) ?? []) {
      const part = asObject(value);
      if (part?.type === "thinking") this.thinking("content", thinkingText(part.thinking));
      else if (typeof part?.text === "string") this.text(part.text);
    }
  }

  #reasoningData(): ReasoningData {
    const details = this.#details.all();
    const encrypted = this.#encrypted;
    const field = this.#field;
    this.#details = new ReasoningDetails();
    this.#encrypted = undefined;
    this.#field = undefined;
    return {
      scheme: SCHEME,
      ...(encrypted === undefined ? {} : { encrypted }),
      extra: {
        ...(field === undefined ? {} : { field }),
        ...(details.length === 0 ? {} : { reasoning_details: details }),
      },
    };
  }
}

/** Mistral's thinking parts hold text parts. */
function thinkingText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return (asArray(value) ?? []).map((part) => asText(asObject(part)?.text) ?? "").join("");
}
