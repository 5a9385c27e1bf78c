/** Items to the content blocks of Anthropic Messages. */
import type {
  ContentPart,
  FunctionCallItem,
  FunctionCallOutputItem,
  MediaSource,
  MessageItem,
  ReasoningItem,
} from "../../item.js";
import type { JsonObject, JsonValue } from "../../json.js";
import { argumentsObject, asObject } from "../../json-readers.js";
import { isText, mediaOf, textFromBase64 } from "../media.js";
import type { AssistantItem, UserItem } from "../turns.js";
import { SCHEME } from "./block.js";

export function assistantBlocks(items: readonly AssistantItem[]): JsonObject[] {
  return items.flatMap((item) => {
    switch (item.type) {
      case "message":
        // The wire takes no media from the assistant.
        return partBlocks(item.content.filter((part) => part.type !== "input_image" && part.type !== "input_file"));
      case "function_call":
        return [toolUse(item)];
      case "reasoning":
        return reasoningBlocks(item);
    }
  });
}

/** Tool results first: they must follow their calls directly. */
export function userBlocks(items: readonly UserItem[]): JsonObject[] {
  const results: JsonObject[] = [];
  const rest: JsonObject[] = [];
  for (const item of items) {
    if (item.type === "function_call_output") results.push(toolResult(item));
    else if (item.role === "system") rest.push(...laterSystemBlocks(item));
    else rest.push(...partBlocks(item.content));
  }
  return [...results, ...rest];
}

/** The wire has one system prompt, before everything; moving later messages there would change the cached prefix. */
function laterSystemBlocks(item: MessageItem): JsonObject[] {
  return partBlocks(item.content).map((block) =>
    typeof block.text === "string" ? { ...block, text: `<system>\n${block.text}\n</system>` } : block,
  );
}

export function partBlocks(parts: readonly ContentPart[]): JsonObject[] {
  return parts.map(partBlock).filter((block) => block !== undefined);
}

function partBlock(part: ContentPart): JsonObject | undefined {
  switch (part.type) {
    case "input_text":
      return textBlock(part.text);
    case "output_text": {
      const citations = part.reasoning?.scheme === SCHEME ? part.reasoning.extra?.citations : undefined;
      const block = textBlock(part.text);
      return block === undefined || citations === undefined ? block : { ...block, citations };
    }
    case "refusal":
      return textBlock(part.refusal);
    case "input_image":
      return { type: "image", source: mediaSource(part) };
    case "input_file":
      return {
        type: "document",
        source: mediaSource(part),
        ...(part.filename === undefined ? {} : { title: part.filename }),
      };
  }
}

/** The provider refuses text blocks without visible text. */
function textBlock(text: string): JsonObject | undefined {
  return text.trim() === "" ? undefined : { type: "text", text };
}

function mediaSource(source: MediaSource): JsonValue {
  const media = mediaOf(source);
  switch (media.from) {
    case "file":
      return { type: "file", file_id: media.fileId };
    case "url":
      return { type: "url", url: media.url };
    case "data":
      // The one text type that the wire has, whatever kind of text it is.
      if (isText(media.mimeType)) return { type: "text", media_type: "text/plain", data: textFromBase64(media.data) };
      return { type: "base64", media_type: media.mimeType, data: media.data };
  }
}

function toolUse(item: FunctionCallItem): JsonObject {
  const extra = item.reasoning?.scheme === SCHEME ? item.reasoning.extra : undefined;
  return {
    type: "tool_use",
    id: toolUseId(item.callId),
    name: item.name,
    input: argumentsObject(item.arguments),
    ...extra,
  };
}

function toolResult(item: FunctionCallOutputItem): JsonObject {
  const content = typeof item.output === "string" ? item.output : partBlocks(item.output);
  const head = { type: "tool_result", tool_use_id: toolUseId(item.callId) };
  if (item.isError !== true) return { ...head, content };
  // The provider refuses an error that says nothing, and one that holds anything but text.
  if (typeof content !== "string" && content.some((block) => block.type !== "text"))
    return { ...head, content: [{ type: "text", text: "The tool failed." }, ...content] };
  return { ...head, content: content.length === 0 ? "The tool failed." : content, is_error: true };
}

/** Ids of other providers may have characters that this one refuses. */
function toolUseId(callId: string): string {
  return callId.replace(/[^a-zA-Z0-9_-]/g, "_");
}

/** Reasoning without this provider's signature is refused, so it stays out. */
function reasoningBlocks(item: ReasoningItem): JsonObject[] {
  const data = item.reasoning;
  if (data?.scheme !== SCHEME) return [];
  const block = asObject(data.extra?.block);
  if (block !== undefined) return [block];
  if (data.encrypted !== undefined) return [{ type: "redacted_thinking", data: data.encrypted }];
  if (data.signature !== undefined) return [{ type: "thinking", thinking: item.text, signature: data.signature }];
  return [];
}
