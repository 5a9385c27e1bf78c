/** Which chunks are so plain that a template can read the next ones like them. */
import type { JsonObject, JsonValue } from "../../json.js";
import { asArray, asNumber, asObject, asText } from "../../json-readers.js";
import type { Lesson } from "../parser.js";
import type { ReasoningField } from "./message.js";

export type ChatTag =
  | { readonly kind: "text" }
  | { readonly kind: "thinking"; readonly field: ReasoningField }
  | { readonly kind: "refusal" }
  | { readonly kind: "arguments"; readonly index: number | undefined };

/** Padding that differs from chunk to chunk. */
const IGNORED = ["obfuscation", "p"];
/** Some servers number their chunks, or date them. */
const LOOSE = ["id", "created"];

const DELTA = "choices.0.delta";

export function lessonOf(chunk: JsonObject): Lesson<ChatTag> | undefined {
  const choices = asArray(chunk.choices) ?? [];
  const choice = asObject(choices[0]);
  const delta = asObject(choice?.delta);
  if (choices.length !== 1 || choice === undefined || delta === undefined) return undefined;
  if (isSaid(choice.finish_reason) || isSaid(choice.usage) || isSaid(delta.function_call)) return undefined;
  if (isSaid(delta.reasoning_details) || isSaid(delta.reasoning_encrypted)) return undefined;
  return isSaid(delta.tool_calls) ? callLesson(delta) : textLesson(delta);
}

/** Exactly one of the text fields says something. */
function textLesson(delta: JsonObject): Lesson<ChatTag> | undefined {
  const said = TEXT_FIELDS.filter((field) => isSaid(delta[field]));
  const field = said[0];
  if (field === undefined || said.length > 1) return undefined;
  const text = asText(delta[field]);
  if (text === undefined) return undefined;
  return { tag: textTag(field), text, shape: TEXT_SHAPES[field] };
}

const TEXT_SHAPES = {
  content: { text: `${DELTA}.content`, ignored: IGNORED, loose: LOOSE },
  reasoning_content: { text: `${DELTA}.reasoning_content`, ignored: IGNORED, loose: LOOSE },
  reasoning: { text: `${DELTA}.reasoning`, ignored: IGNORED, loose: LOOSE },
  refusal: { text: `${DELTA}.refusal`, ignored: IGNORED, loose: LOOSE },
} as const;

const CALL_SHAPE = { text: `${DELTA}.tool_calls.0.function.arguments`, ignored: IGNORED, loose: LOOSE } as const;

const TEXT_FIELDS = ["content", "reasoning_content", "reasoning", "refusal"] as const;

function textTag(field: (typeof TEXT_FIELDS)[number]): ChatTag {
  switch (field) {
    case "content":
      return { kind: "text" };
    case "reasoning_content":
    case "reasoning":
      return { kind: "thinking", field };
    case "refusal":
      return { kind: "refusal" };
  }
}

/** More arguments of a call that is known by its index. */
function callLesson(delta: JsonObject): Lesson<ChatTag> | undefined {
  if (TEXT_FIELDS.some((field) => isSaid(delta[field]))) return undefined;
  const entries = asArray(delta.tool_calls) ?? [];
  const entry = asObject(entries[0]);
  const called = asObject(entry?.function);
  if (entries.length !== 1 || entry === undefined || called === undefined) return undefined;
  if (isSaid(entry.id) || isSaid(called.name) || isSaid(entry.extra_content)) return undefined;
  const text = asText(called.arguments);
  if (text === undefined) return undefined;
  return { tag: { kind: "arguments", index: asNumber(entry.index) }, text, shape: CALL_SHAPE };
}

function isSaid(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}
