/** Sanitising what a tool gives back, wherever the model may see it. */
import { ToolError } from "../error.js";
import type { JsonValue } from "../json.js";
import { ToolOutput } from "../output.js";
import { quarantine, sanitizeTokens } from "./sanitize.js";

/** `none` leaves the output as it is, `tokens` makes control tokens harmless, `quarantine` also puts it in a tag. */
export type OutputSanitization = "none" | "tokens" | "quarantine";

const STRICTNESS: readonly OutputSanitization[] = ["none", "tokens", "quarantine"];

/** What holds for a tool: its own wish, `tokens` where it has none, but never less than the floor. */
export function effectiveSanitization(
  wish: OutputSanitization | undefined,
  floor: OutputSanitization,
): OutputSanitization {
  const own = wish ?? "tokens";
  return STRICTNESS.indexOf(own) >= STRICTNESS.indexOf(floor) ? own : floor;
}

/** The output with safe content; its structured value is made safe too, its metadata is not for the model. */
export function sanitizeOutput(output: ToolOutput, level: OutputSanitization): ToolOutput {
  if (level === "none") return output;
  const content = level === "quarantine" ? quarantine(output.content) : sanitizeTokens(output.content);
  const structured = output.structured === undefined ? undefined : sanitizeJson(output.structured);
  if (content === output.content && structured === output.structured) return output;
  const { metadata } = output;
  return new ToolOutput(content, structured === undefined ? { metadata } : { metadata, structured });
}

/** The error with a safe message: messages quote files, servers and the model itself. */
export function sanitizeError(error: ToolError, level: OutputSanitization): ToolError {
  if (level === "none") return error;
  const message = sanitizeTokens(error.message);
  if (message === error.message) return error;
  const { cause, metadata, issues } = error;
  return new ToolError(error.code, message, cause === undefined ? { metadata, issues } : { cause, metadata, issues });
}

/** Every text in the value, names of properties included; the same value where nothing changed. */
function sanitizeJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return sanitizeTokens(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(sanitizeJson);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  const safe = entries.map(([key, inner]) => [sanitizeTokens(key), sanitizeJson(inner)] as const);
  const same = safe.every(([key, inner], index) => key === entries[index]?.[0] && inner === entries[index]?.[1]);
  return same ? value : Object.fromEntries(safe);
}
