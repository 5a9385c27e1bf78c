/**
 * The conversation, as plain JSON: a list of items.
 * @see https://www.openresponses.org/ the item model that these names follow
 */
import type { JsonObject } from "./json.js";

export type Role = "user" | "assistant" | "system";
export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** One unit of a conversation. Tool calls and reasoning are items of their own, not parts of a message. */
export type Item = MessageItem | FunctionCallItem | FunctionCallOutputItem | ReasoningItem;

export interface MessageItem {
  readonly type: "message";
  readonly id?: string;
  readonly role: Role;
  readonly content: readonly ContentPart[];
  readonly status?: ItemStatus;
}

export interface FunctionCallItem {
  readonly type: "function_call";
  readonly id?: string;
  /** Pairs the call with its `function_call_output`; unique in a history. */
  readonly callId: string;
  readonly name: string;
  /** The arguments as JSON text, as the model wrote them; `""` means no arguments. */
  readonly arguments: string;
  readonly status?: ItemStatus;
  /** What the provider wants back with this call (a thought signature, say). */
  readonly reasoning?: ReasoningData;
}

export interface FunctionCallOutputItem {
  readonly type: "function_call_output";
  readonly id?: string;
  readonly callId: string;
  readonly output: string | readonly ContentPart[];
  readonly isError?: boolean;
}

export interface ReasoningItem {
  readonly type: "reasoning";
  readonly id?: string;
  /** The visible reasoning text; empty where the provider shows none. */
  readonly text: string;
  readonly status?: ItemStatus;
  readonly reasoning?: ReasoningData;
}

export type ContentPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "output_text"; readonly text: string; readonly reasoning?: ReasoningData }
  | { readonly type: "refusal"; readonly refusal: string }
  | ({ readonly type: "input_image" } & MediaSource)
  | ({ readonly type: "input_file"; readonly filename?: string } & MediaSource);

/** Where the bytes of an image or a file are: `data` is base64 without a `data:` prefix and needs `mimeType`. */
export type MediaSource =
  | { readonly data: string; readonly mimeType: string }
  | { readonly url: string; readonly mimeType?: string }
  | { readonly fileId: string; readonly mimeType?: string };

/**
 * What a provider wants back unchanged in a later request. Opaque to everyone but the scheme that wrote it; a scheme
 * ignores data of another scheme.
 */
export interface ReasoningData {
  /** The name of the scheme that wrote this. */
  readonly scheme: string;
  /** The provider's id of the reasoning or output item. */
  readonly id?: string;
  /** Anthropic's `signature`, Gemini's `thoughtSignature`. */
  readonly signature?: string;
  /** Anthropic's `redacted_thinking.data`, OpenAI's `encrypted_content`. */
  readonly encrypted?: string;
  /** Reasoning summaries, one a part. */
  readonly summary?: readonly string[];
  /** Anything else that the scheme must repeat, in the provider's own shape. */
  readonly extra?: JsonObject;
}

/** A user message of one text part. */
export function userMessage(text: string): MessageItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

/** A system message of one text part. Providers without system messages get it as the scheme documents. */
export function systemMessage(text: string): MessageItem {
  return { type: "message", role: "system", content: [{ type: "input_text", text }] };
}

/** An assistant message of one text part. */
export function assistantMessage(text: string): MessageItem {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
}

/** A tool's result; `isError` is left out when false. */
export function functionCallOutput(callId: string, output: string, isError = false): FunctionCallOutputItem {
  return isError
    ? { type: "function_call_output", callId, output, isError }
    : { type: "function_call_output", callId, output };
}

/** All text of a message (refusals included) in order, or the text of another item. */
export function itemText(item: Item): string {
  switch (item.type) {
    case "message":
      return partsText(item.content);
    case "function_call":
      return item.arguments;
    case "function_call_output":
      return typeof item.output === "string" ? item.output : partsText(item.output);
    case "reasoning":
      return item.text;
  }
}

function partsText(parts: readonly ContentPart[]): string {
  let text = "";
  for (const part of parts) {
    if (part.type === "input_text" || part.type === "output_text") text += part.text;
    else if (part.type === "refusal") text += part.refusal;
  }
  return text;
}
