/** Items to the parts of Gemini's contents. */
import type { ContentPart, FunctionCallItem, FunctionCallOutputItem, MediaSource, ReasoningItem } from "../../item.js";
import { itemText } from "../../item.js";
import type { JsonObject } from "../../json.js";
import { argumentsObject, asObject } from "../../json-readers.js";
import { mediaOf } from "../media.js";
import type { Calls } from "../turn-text.js";
import type { AssistantItem, Turn, UserItem } from "../turns.js";
import { SCHEME } from "./content.js";

/** Accepted in place of the signature of a call that another model wrote. @see https://ai.google.dev/gemini-api/docs/thought-signatures */
const NO_SIGNATURE = "skip_thought_signature_validator";

/**
 * Models since the third generation refuse the first call of a step without a signature; names without a generation
 * (`gemini-pro-latest`) mean the newest.
 */
export function demandsSignatures(model: string): boolean {
  return /gemini-([3-9]|\d\d|[a-z-]+-latest)/.test(model);
}

/**
 * A turn as contents; none where it has no parts. Results are a content of their own: with anything beside them the
 * provider takes it for a turn of the model. @see https://github.com/deepnoodle-ai/dive/pull/287
 * @param calls a result names its function, which only the call knows
 * @param signed every first call carries a signature
 */
export function turnContents(turn: Turn, calls: Calls, signed: boolean): JsonObject[] {
  if (turn.role === "assistant") return content("model", modelParts(turn.items, signed));
  const { results, rest } = userParts(turn.items, calls);
  return [...content("user", results), ...content("user", rest)];
}

function content(role: "user" | "model", parts: readonly JsonObject[]): JsonObject[] {
  return parts.length === 0 ? [] : [{ role, parts }];
}

/** All of one turn in one content: the provider checks the signature of the first call of a step only. */
function modelParts(items: readonly AssistantItem[], signed: boolean): JsonObject[] {
  const first = items.find((item) => item.type === "function_call");
  return items.flatMap((item) => {
    switch (item.type) {
      case "message":
        return contentParts(item.content);
      case "function_call":
        return [callPart(item, signed && item === first)];
      case "reasoning":
        return reasoningParts(item);
    }
  });
}

function userParts(
  items: readonly UserItem[],
  calls: Calls,
): { readonly results: readonly JsonObject[]; readonly rest: readonly JsonObject[] } {
  const results: JsonObject[] = [];
  const rest: JsonObject[] = [];
  for (const item of items) {
    if (item.type === "function_call_output") {
      results.push(resultPart(item, calls.get(item.callId)));
      if (typeof item.output !== "string") rest.push(...contentParts(item.output.filter(isMedia)));
    } else if (item.role === "system") {
      // The wire has one system instruction, before everything; moving later ones there would change the cached prefix.
      rest.push({ text: `<system>\n${itemText(item)}\n</system>` });
    } else {
      rest.push(...contentParts(item.content));
    }
  }
  return { results, rest };
}

function callPart(item: FunctionCallItem, mustBeSigned: boolean): JsonObject {
  const data = item.reasoning?.scheme === SCHEME ? item.reasoning : undefined;
  const signature = data?.signature ?? (mustBeSigned ? NO_SIGNATURE : undefined);
  return {
    functionCall: {
      ...(data?.id === undefined ? {} : { id: data.id }),
      name: item.name,
      args: argumentsObject(item.arguments),
    },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  };
}

function resultPart(item: FunctionCallOutputItem, call: FunctionCallItem | undefined): JsonObject {
  const id = call?.reasoning?.scheme === SCHEME ? call.reasoning.id : undefined;
  const text = itemText(item);
  return {
    functionResponse: {
      ...(id === undefined ? {} : { id }),
      name: call?.name ?? item.callId,
      response: item.isError === true ? { error: text } : { output: text },
    },
  };
}

export function contentParts(parts: readonly ContentPart[]): JsonObject[] {
  return parts.flatMap((part): JsonObject[] => {
    switch (part.type) {
      case "input_text":
        return part.text === "" ? [] : [{ text: part.text }];
      case "output_text": {
        const signature = part.reasoning?.scheme === SCHEME ? part.reasoning.signature : undefined;
        if (signature !== undefined) return [{ text: part.text, thoughtSignature: signature }];
        return part.text === "" ? [] : [{ text: part.text }];
      }
      case "refusal":
        return [{ text: part.refusal }];
      case "input_image":
      case "input_file":
        return [mediaPart(part)];
    }
  });
}

function isMedia(part: ContentPart): boolean {
  return part.type === "input_image" || part.type === "input_file";
}

function mediaPart(source: MediaSource): JsonObject {
  const media = mediaOf(source);
  if (media.from === "data") return { inlineData: { mimeType: media.mimeType, data: media.data } };
  const mimeType = media.mimeType === undefined ? {} : { mimeType: media.mimeType };
  return { fileData: { ...mimeType, fileUri: media.from === "url" ? media.url : media.fileId } };
}

/** Thoughts themselves need not go back; what the provider signed or did itself must. */
function reasoningParts(item: ReasoningItem): JsonObject[] {
  const data = item.reasoning;
  if (data?.scheme !== SCHEME) return [];
  const part = asObject(data.extra?.part);
  if (part !== undefined) return [part];
  return data.signature === undefined ? [] : [{ text: item.text, thought: true, thoughtSignature: data.signature }];
}
