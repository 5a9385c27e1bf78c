/** Items to the messages of Ollama's chat. */
import { ClientError } from "../../error.js";
import type { ContentPart, FunctionCallItem, MessageItem } from "../../item.js";
import { itemText } from "../../item.js";
import type { JsonObject } from "../../json.js";
import { argumentsObject } from "../../json-readers.js";
import { isText, mediaOf, textFromBase64 } from "../media.js";
import type { Calls } from "../turn-text.js";
import type { AssistantItem, Turn, UserItem } from "../turns.js";
import { SCHEME } from "./parser.js";

export function systemMessage(item: MessageItem): JsonObject {
  return { role: "system", content: itemText(item) };
}

/** @param calls a result names its function, which only the call knows */
export function turnMessages(turn: Turn, calls: Calls): JsonObject[] {
  return turn.role === "assistant" ? assistantMessages(turn.items) : userMessages(turn.items, calls);
}

function userMessages(items: readonly UserItem[], calls: Calls): JsonObject[] {
  const results: JsonObject[] = [];
  const rest: JsonObject[] = [];
  for (const item of items) {
    if (item.type === "function_call_output") {
      const name = calls.get(item.callId)?.name;
      const parts = typeof item.output === "string" ? [] : item.output;
      const text = typeof item.output === "string" ? item.output : textOf(item.output);
      results.push({
        role: "tool",
        content: text,
        ...(name === undefined ? {} : { tool_name: name }),
        ...images(parts),
      });
    } else if (item.role === "system") {
      rest.push(systemMessage(item));
    } else {
      rest.push({ role: "user", content: textOf(item.content), ...images(item.content) });
    }
  }
  return [...results, ...rest];
}

/** One message: thinking, text and calls of one turn belong together. */
function assistantMessages(items: readonly AssistantItem[]): JsonObject[] {
  let content = "";
  let thinking = "";
  const calls: JsonObject[] = [];
  for (const item of items) {
    if (item.type === "function_call") calls.push(toolCall(item));
    else if (item.type === "message") content += itemText(item);
    else if (item.reasoning?.scheme === SCHEME) thinking += item.text;
  }
  if (content === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content,
      ...(thinking === "" ? {} : { thinking }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

function toolCall(item: FunctionCallItem): JsonObject {
  return { function: { name: item.name, arguments: argumentsObject(item.arguments) } };
}

/** All text; a text file is text. */
function textOf(parts: readonly ContentPart[]): string {
  let text = "";
  for (const part of parts) {
    if (part.type === "input_text" || part.type === "output_text") text += part.text;
    else if (part.type === "refusal") text += part.refusal;
    else if (part.type === "input_file") text += fileText(part);
  }
  return text;
}

function fileText(part: Extract<ContentPart, { type: "input_file" }>): string {
  const media = mediaOf(part);
  if (media.from === "data" && isText(media.mimeType)) return textFromBase64(media.data);
  throw new ClientError("config", "Ollama takes no files but text. Send the file's text as data with a text/ type.");
}

function images(parts: readonly ContentPart[]): JsonObject {
  const found = parts.flatMap((part) => {
    if (part.type !== "input_image") return [];
    const media = mediaOf(part);
    if (media.from === "data") return [media.data];
    throw new ClientError("config", "Ollama takes images as data only. Load the image and send its bytes as base64.");
  });
  return found.length === 0 ? {} : { images: found };
}
