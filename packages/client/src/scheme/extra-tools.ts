/** The provider's own tools (web search, code execution), which `config.extra` names in the provider's words. */
import type { JsonValue } from "../json.js";
import { asArray } from "../json-readers.js";
import { elementsText, JsonText, listText } from "./kept-text.js";

/** @param text ours, as the text of an array; undefined where there are none */
export function withExtraTools(text: string | undefined, extra: JsonValue | undefined): JsonText | undefined {
  const more = asArray(extra) ?? [];
  if (more.length === 0) return text === undefined ? undefined : new JsonText(text);
  return listText(text?.slice(1, -1) ?? "", elementsText(more));
}
