/** Items to the input items of the Responses API. */
import type {
  ContentPart,
  FunctionCallItem,
  FunctionCallOutputItem,
  Item,
  MessageItem,
  ReasoningItem,
} from "../../item.js";
import type { JsonObject, JsonValue } from "../../json.js";
import { argumentsObject, asArray, asObject, asText, parseObject } from "../../json-readers.js";
import { elementsText, KeptText } from "../kept-text.js";
import { fileName, mediaOf, urlOf } from "../media.js";
import { SCHEME } from "./part.js";

const itemTexts = new KeptText<Item>();
/** Of outputs that answer custom calls. */
const customTexts = new KeptText<Item>();

/** The input items of a history as JSON text, joined. */
export function inputText(items: readonly Item[]): string {
  const custom = new Set<string>();
  let text = "";
  for (const item of items) {
    if (item.type === "function_call" && isCustom(item)) custom.add(item.callId);
    const answersCustom = item.type === "function_call_output" && custom.has(item.callId);
    const written = answersCustom ? customTexts.of(item, customText) : itemTexts.of(item, plainText);
    if (written !== "") text += text === "" ? written : `,${written}`;
  }
  return text;
}

function plainText(item: Item): string {
  return elementsText(inputItems(item, false));
}

function customText(item: Item): string {
  return elementsText(inputItems(item, true));
}

function inputItems(item: Item, answersCustom: boolean): JsonObject[] {
  switch (item.type) {
    case "message":
      return item.role === "assistant" ? assistantMessages(item) : [userMessage(item)];
    case "function_call":
      return [call(item)];
    case "function_call_output":
      return [output(item, answersCustom)];
    case "reasoning":
      return reasoning(item);
  }
}

function userMessage(item: MessageItem): JsonObject {
  return { type: "message", role: item.role, content: item.content.map(inputPart) };
}

function inputPart(part: ContentPart): JsonObject {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return { type: "input_text", text: part.text };
    case "refusal":
      return { type: "input_text", text: part.refusal };
    case "input_image": {
      const media = mediaOf(part);
      return media.from === "file"
        ? { type: "input_image", file_id: media.fileId }
        : { type: "input_image", image_url: urlOf(media) };
    }
    case "input_file": {
      const media = mediaOf(part);
      if (media.from === "file") return { type: "input_file", file_id: media.fileId };
      if (media.from === "url") return { type: "input_file", file_url: media.url };
      return { type: "input_file", filename: part.filename ?? fileName(media.mimeType), file_data: urlOf(media) };
    }
  }
}

/** Parts that came as one output item go back as one: the provider pairs them with the reasoning before by their id. */
function assistantMessages(item: MessageItem): JsonObject[] {
  const messages: { readonly key: string; readonly head: JsonObject; readonly content: JsonObject[] }[] = [];
  for (const part of item.content) {
    const content = outputPart(part);
    if (content === undefined) continue;
    const head = messageHead(part);
    const key = JSON.stringify(head);
    const last = messages.at(-1);
    if (last?.key === key) last.content.push(content);
    else messages.push({ key, head, content: [content] });
  }
  return messages.map(({ head, content }) => ({ type: "message", role: "assistant", ...head, content }));
}

function messageHead(part: ContentPart): JsonObject {
  const data = part.type === "output_text" && part.reasoning?.scheme === SCHEME ? part.reasoning : undefined;
  const phase = asText(data?.extra?.phase);
  return {
    ...(data?.id === undefined ? {} : { id: data.id, status: "completed" }),
    ...(phase === undefined ? {} : { phase }),
  };
}

function outputPart(part: ContentPart): JsonObject | undefined {
  switch (part.type) {
    case "output_text": {
      const data = part.reasoning?.scheme === SCHEME ? part.reasoning : undefined;
      return { type: "output_text", text: part.text, annotations: asArray(data?.extra?.annotations) ?? [] };
    }
    case "input_text":
      return { type: "output_text", text: part.text, annotations: [] };
    case "refusal":
      return { type: "refusal", refusal: part.refusal };
    // The wire has no place for what a model shows.
    case "input_image":
    case "input_file":
      return undefined;
  }
}

function isCustom(item: FunctionCallItem): boolean {
  return item.reasoning?.scheme === SCHEME && item.reasoning.extra?.custom === true;
}

function call(item: FunctionCallItem): JsonObject {
  const data = item.reasoning?.scheme === SCHEME ? item.reasoning : undefined;
  const namespace = asText(data?.extra?.namespace);
  const head = { ...(data?.id === undefined ? {} : { id: data.id }), call_id: item.callId, name: item.name };
  if (isCustom(item))
    return { type: "custom_tool_call", ...head, input: asText(argumentsObject(item.arguments).input) ?? "" };
  return {
    type: "function_call",
    ...head,
    ...(namespace === undefined ? {} : { namespace }),
    // Providers refuse arguments that are no object, and a model may have written anything.
    arguments: parseObject(item.arguments) === undefined ? "{}" : item.arguments,
  };
}

function output(item: FunctionCallOutputItem, custom: boolean): JsonObject {
  const told: JsonValue = typeof item.output === "string" ? item.output : item.output.map(inputPart);
  return { type: custom ? "custom_tool_call_output" : "function_call_output", call_id: item.callId, output: told };
}

/** Without its encrypted or open content the provider would look for a stored item, and nothing is stored. */
function reasoning(item: ReasoningItem): JsonObject[] {
  const data = item.reasoning;
  if (data?.scheme !== SCHEME) return [];
  const raw = asObject(data.extra?.item);
  if (raw !== undefined) return [raw];
  const content = asArray(data.extra?.content);
  if (data.encrypted === undefined && content === undefined) return [];
  return [
    {
      type: "reasoning",
      ...(data.id === undefined ? {} : { id: data.id }),
      summary: (data.summary ?? []).map((text) => ({ type: "summary_text", text })),
      ...(content === undefined ? {} : { content }),
      ...(data.encrypted === undefined ? {} : { encrypted_content: data.encrypted }),
    },
  ];
}
