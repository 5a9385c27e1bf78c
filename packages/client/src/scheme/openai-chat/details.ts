/**
 * OpenRouter's `reasoning_details`: fragments that must be put together before they are sent back.
 * @see https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
import type { JsonValue } from "../../json.js";
import { asObject, asText } from "../../json-readers.js";

type Detail = Record<string, JsonValue>;

/** The fields that arrive piece by piece. */
const TEXT_FIELDS = ["text", "summary", "data"] as const;

export class ReasoningDetails {
  readonly #details: Detail[] = [];

  take(values: readonly JsonValue[]): void {
    for (const value of values) {
      const fragment = asObject(value);
      if (fragment === undefined) continue;
      const last = this.#details.findLast((detail) => detail.type === fragment.type && detail.index === fragment.index);
      // Two entries with ids of their own are two entries, whatever their index says.
      if (
        last === undefined ||
        (asText(fragment.id) !== undefined && asText(last.id) !== undefined && fragment.id !== last.id)
      ) {
        this.#details.push({ ...fragment });
      } else {
        merge(last, fragment);
      }
    }
  }

  /** What these fragments show of the reasoning. */
  textOf(values: readonly JsonValue[]): string {
    return values.map((value) => asText(asObject(value)?.text) ?? asText(asObject(value)?.summary) ?? "").join("");
  }

  all(): readonly JsonValue[] {
    return this.#details;
  }
}

function merge(detail: Detail, fragment: Readonly<Record<string, JsonValue>>): void {
  for (const [key, value] of Object.entries(fragment)) {
    const before = detail[key];
    const grows = TEXT_FIELDS.some((field) => field === key);
    if (grows && typeof before === "string" && typeof value === "string") detail[key] = before + value;
    else if (value !== null || before === undefined) detail[key] = value;
  }
}
