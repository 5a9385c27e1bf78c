/** The content blocks of Anthropic Messages: what each becomes, and what it gives back on its stop. */
import type { Block, BlockDelta } from "../../event.js";
import type { ReasoningData } from "../../item.js";
import type { JsonObject, JsonValue } from "../../json.js";
import { argumentsObject, asArray, asObject, asText } from "../../json-readers.js";
import type { ResponseWriter } from "../response-writer.js";

export const SCHEME = "anthropic";

export interface AnthropicBlock {
  delta(type: BlockDelta["type"], text: string): void;
  /** A delta that is no text; false if this block does not know it. */
  note(type: string, delta: JsonObject): boolean;
  close(): void;
}

/** Opens the block that `content` starts; `undefined` for a type that is not known. */
export function openBlock(
  content: JsonObject,
  response: ResponseWriter,
  newId: () => string,
): AnthropicBlock | undefined {
  const type = asText(content.type) ?? "";
  switch (type) {
    case "text":
      return new TextBlock(content, response);
    case "thinking":
      return new ThinkingBlock(content, response);
    case "redacted_thinking":
      return new RedactedBlock(content, response);
    case "tool_use":
      return new ToolUseBlock(content, response, newId);
    case "server_tool_use":
    case "mcp_tool_use":
      return new ServerBlock(content, response, {
        type: "server_tool_use",
        id: asText(content.id) ?? "",
        name: asText(content.name) ?? "",
      });
    // Not shown, but wanted back in the next request.
    case "compaction":
    case "fallback":
    case "container_upload":
    case "mcp_tool_listing":
      return new ServerBlock(content, response, { type: "thinking" });
    default:
      return type.endsWith(RESULT_SUFFIX)
        ? new ServerBlock(content, response, {
            type: "tool_result",
            toolUseId: asText(content.tool_use_id) ?? "",
            name: type.slice(0, -RESULT_SUFFIX.length),
          })
        : undefined;
  }
}

const RESULT_SUFFIX = "_tool_result";

class TextBlock implements AnthropicBlock {
  readonly #response: ResponseWriter;
  readonly #index: number;
  readonly #citations: JsonValue[];

  constructor(content: JsonObject, response: ResponseWriter) {
    this.#response = response;
    this.#index = response.open({ type: "text" });
    this.#citations = [...(asArray(content.citations) ?? [])];
    response.delta(this.#index, "text", asText(content.text) ?? "");
  }

  delta(_type: BlockDelta["type"], text: string): void {
    this.#response.delta(this.#index, "text", text);
  }

  note(type: string, delta: JsonObject): boolean {
    if (type !== "citations_delta" || delta.citation === undefined) return false;
    this.#citations.push(delta.citation);
    return true;
  }

  close(): void {
    const extra = { citations: this.#citations };
    this.#response.stop(this.#index, this.#citations.length === 0 ? undefined : { scheme: SCHEME, extra });
  }
}

class ThinkingBlock implements AnthropicBlock {
  readonly #response: ResponseWriter;
  readonly #index: number;
  #signature: string | undefined;

  constructor(content: JsonObject, response: ResponseWriter) {
    this.#response = response;
    this.#index = response.open({ type: "thinking" });
    this.#signature = asText(content.signature);
    response.delta(this.#index, "thinking", asText(content.thinking) ?? "");
  }

  delta(_type: BlockDelta["type"], text: string): void {
    this.#response.delta(this.#index, "thinking", text);
  }

  note(type: string, delta: JsonObject): boolean {
    if (type !== "signature_delta") return false;
    this.#signature = asText(delta.signature) ?? this.#signature;
    return true;
  }

  close(): void {
    const signature = this.#signature;
    this.#response.stop(this.#index, signature === undefined ? undefined : { scheme: SCHEME, signature });
  }
}

class RedactedBlock implements AnthropicBlock {
  readonly #response: ResponseWriter;
  readonly #index: number;
  readonly #encrypted: string;

  constructor(content: JsonObject, response: ResponseWriter) {
    this.#response = response;
    this.#index = response.open({ type: "thinking" });
    this.#encrypted = asText(content.data) ?? "";
  }

  delta(type: BlockDelta["type"], text: string): void {
    this.#response.delta(this.#index, type, text);
  }

  note(): boolean {
    return false;
  }

  close(): void {
    this.#response.stop(this.#index, { scheme: SCHEME, encrypted: this.#encrypted });
  }
}

class ToolUseBlock implements AnthropicBlock {
  readonly #response: ResponseWriter;
  readonly #index: number;
  /** Some servers send the whole input with the start and no deltas. */
  readonly #input: JsonObject | undefined;
  readonly #reasoning: ReasoningData | undefined;
  #hasDelta = false;

  constructor(content: JsonObject, response: ResponseWriter, newId: () => string) {
    this.#response = response;
    const id = asText(content.id) ?? newId();
    this.#index = response.open({ type: "tool_use", id, name: asText(content.name) ?? "" });
    this.#input = asObject(content.input);
    this.#reasoning = toolUseExtra(content);
  }

  delta(_type: BlockDelta["type"], text: string): void {
    if (text !== "") this.#hasDelta = true;
    this.#response.delta(this.#index, "input_json", text);
  }

  note(): boolean {
    return false;
  }

  close(): void {
    const input = this.#input;
    if (!this.#hasDelta && input !== undefined && Object.keys(input).length > 0)
      this.delta("input_json", JSON.stringify(input));
    this.#response.stop(this.#index, this.#reasoning);
  }
}

/** Who called the tool is part of the call, unless the model itself did. */
function toolUseExtra(content: JsonObject): ReasoningData | undefined {
  const caller = asObject(content.caller);
  const extra: Record<string, JsonValue> = {};
  if (caller !== undefined && caller.type !== "direct") extra.caller = caller;
  if (content.toolset_name !== undefined && content.toolset_name !== null) extra.toolset_name = content.toolset_name;
  return Object.keys(extra).length === 0 ? undefined : { scheme: SCHEME, extra };
}

/** A block of the provider's own doing: repeated in the next request exactly as it came. */
class ServerBlock implements AnthropicBlock {
  readonly #response: ResponseWriter;
  readonly #index: number;
  readonly #content: Record<string, JsonValue>;
  #input = "";

  constructor(content: JsonObject, response: ResponseWriter, block: Block) {
    this.#response = response;
    this.#index = response.open(block);
    this.#content = { ...content };
  }

  delta(type: BlockDelta["type"], text: string): void {
    if (type === "input_json") this.#input += text;
    this.#response.delta(this.#index, type, text);
  }

  note(type: string, delta: JsonObject): boolean {
    if (type !== "compaction_delta") return false;
    const text = asText(delta.content);
    if (text !== undefined) this.#content.content = (asText(this.#content.content) ?? "") + text;
    if (typeof delta.encrypted_content === "string") this.#content.encrypted_content = delta.encrypted_content;
    return true;
  }

  close(): void {
    if (this.#input !== "") this.#content.input = argumentsObject(this.#input);
    this.#response.stop(this.#index, { scheme: SCHEME, extra: { block: this.#content } });
  }
}
