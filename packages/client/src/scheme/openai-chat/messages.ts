/** Items to chat messages. */

import { ClientError } from "../../error.js";
import type { ContentPart, FunctionCallItem, FunctionCallOutputItem, MessageItem, ReasoningItem } from "../../item.js";
import { itemText } from "../../item.js";
import type { JsonObject, JsonValue } from "../../json.js";
import { asArray, asText, parseObject } from "../../json-readers.js";
import { fileName, mediaOf, urlOf } from "../media.js";
import type { AssistantItem, Turn, UserItem } from "../turns.js";
import { SCHEME } from "./call.js";

export function systemMessage(item: MessageItem): JsonObject {
  return { role: "system", content: itemText(item) };
}

export function turnMessages(turn: Turn): JsonObject[] {
  return turn.role === "assistant" ? assistantMessages(turn.items) : userMessages(turn.items);
}

/** One message: text, refusal, reasoning and calls of one turn belong together. */
function assistantMessages(items: readonly AssistantItem[]): JsonObject[] {
  let text = "";
  let refusal = "";
  const calls: JsonObject[] = [];
  const reasoning: ReasoningItem[] = [];
  for (const item of items) {
    switch (item.type) {
      case "message":
        for (const part of item.content) {
          if (part.type === "refusal") refusal += part.refusal;
          else if (part.type === "output_text" || part.type === "input_text") text += part.text;
        }
        break;
      case "function_call":
        calls.push(toolCall(item));
        break;
      case "reasoning":
        if (item.reasoning?.scheme === SCHEME) reasoning.push(item);
        break;
    }
  }
  const back = reasoningFields(reasoning, text, calls.length > 0);
  if (text === "" && refusal === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...back,
      ...(refusal === "" ? {} : { refusal }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

/** Reasoning goes back in the field it came in. DeepSeek demands it with tool calls, and ignores or refuses it without. */
function reasoningFields(items: readonly ReasoningItem[], text: string, hasCalls: boolean): JsonObject {
  const fields: Record<string, JsonValue> = {};
  const details: JsonValue[] = [];
  const thoughts: JsonObject[] = [];
  for (const item of items) {
    const extra = item.reasoning?.extra;
    details.push(...(asArray(extra?.reasoning_details) ?? []));
    if (item.reasoning?.encrypted !== undefined) fields.reasoning_encrypted = item.reasoning.encrypted;
    const field = asText(extra?.field);
    if (field === "reasoning_content" && hasCalls) fields[field] = (asText(fields[field]) ?? "") + item.text;
    else if (field === "reasoning") fields[field] = (asText(fields[field]) ?? "") + item.text;
    else if (field === "content") thoughts.push(thinkingPart(item.text));
  }
  if (thoughts.length > 0) fields.content = [...thoughts, ...(text === "" ? [] : [textPart(text)])];
  if (details.length > 0) fields.reasoning_details = details;
  return fields;
}

function thinkingPart(text: string): JsonObject {
  return { type: "thinking", thinking: [textPart(text)] };
}

function toolCall(item: FunctionCallItem): JsonObject {
  const extra = item.reasoning?.scheme === SCHEME ? item.reasoning.extra : undefined;
  // Providers refuse arguments that are no object, and a model may have written anything.
  const isValid = parseObject(item.arguments) !== undefined;
  return {
    id: item.callId,
    type: "function",
    function: { name: item.name, arguments: isValid ? item.arguments : "{}" },
    ...extra,
  };
}

/** Tool messages first: they must follow their calls directly. Images of results follow in a user message. */
function userMessages(items: readonly UserItem[]): JsonObject[] {
  const results: JsonObject[] = [];
  const pictures: JsonObject[] = [];
  const rest: JsonObject[] = [];
  for (const item of items) {
    if (item.type === "function_call_output") {
      results.push({ role: "tool", tool_call_id: item.callId, content: itemText(item) });
      pictures.push(...mediaParts(item));
    } else if (item.role === "system") {
      rest.push(systemMessage(item));
    } else {
      rest.push({ role: "user", content: userContent(item.content) });
    }
  }
  if (pictures.length > 0) results.push({ role: "user", content: pictures });
  return [...results, ...rest];
}

function mediaParts(item: FunctionCallOutputItem): JsonObject[] {
  if (typeof item.output === "string") return [];
  return item.output.filter((part) => part.type === "input_image" || part.type === "input_file").map(contentPart);
}

/** Plain text stays a string: many compatible servers take no parts. */
function userContent(parts: readonly ContentPart[]): JsonValue {
  const [first] = parts;
  if (parts.length === 1 && first?.type === "input_text") return first.text;
  return parts.map(contentPart);
}

function contentPart(part: ContentPart): JsonObject {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return textPart(part.text);
    case "refusal":
      return textPart(part.refusal);
    case "input_image":
    case "input_file":
      return mediaPart(part);
  }
}

function mediaPart(part: Extract<ContentPart, { type: "input_image" | "input_file" }>): JsonObject {
  const media = mediaOf(part);
  if (media.from === "file") return { type: "file", file: { file_id: media.fileId } };
  if (part.type === "input_image") return { type: "image_url", image_url: { url: urlOf(media) } };
  if (media.from === "url")
    throw new ClientError("config", "Chat completions take no file by its URL. Load it and send its data as base64.");
  const filename = part.filename ?? fileName(media.mimeType);
  return { type: "file", file: { filename, file_data: urlOf(media) } };
}

function textPart(text: string): JsonObject {
  return { type: "text", text };
}
