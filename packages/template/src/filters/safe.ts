/** Filters that keep text from outside inside its place. */
import { quarantine as quarantineText, sanitizeTokens } from "@tsukumo/tool/sanitize";
import { string } from "./text.js";

/** Control tokens of models made harmless; `tags` (separated by commas) names more XML tags. */
export function sanitize_tokens(value: unknown, tags = ""): string {
  return sanitizeTokens(string(value, "sanitize_tokens"), tagNames(tags));
}

/** The text in a tag of its own. Tokens, the tag and all other tags that are named are made harmless inside. */
export function quarantine(value: unknown, tags = "untrusted_content"): string {
  const [tag = "untrusted_content", ...others] = tagNames(tags);
  const inside = string(value, "quarantine");
  return quarantineText(others.length === 0 ? inside : sanitizeTokens(inside, others), tag);
}

function tagNames(tags: string): string[] {
  return tags
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

/** A Markdown code block whose fence is longer than every run of backticks inside. Tokens are made harmless. */
export function fence(value: unknown, language = ""): string {
  const inside = sanitizeTokens(string(value, "fence"));
  let longest = 2;
  for (const [run] of inside.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${inside}${inside.endsWith("\n") ? "" : "\n"}${ticks}`;
}

const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** For text and attributes of XML; control characters that XML does not allow are left out. */
export function escape_xml(value: unknown): string {
  const allowed = without(string(value, "escape_xml"), (code) => code < 32 && code !== 9 && code !== 10 && code !== 13);
  return sanitizeTokens(allowed.replace(/[&<>"']/g, (char) => XML[char] ?? char));
}

function without(text: string, isRemoved: (code: number) => boolean): string {
  let kept = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (!isRemoved(text.charCodeAt(at))) continue;
    kept += text.slice(from, at);
    from = at + 1;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** The inside of a JSON string, without its quotes; tokens are made harmless. */
export function escape_json(value: unknown): string {
  return escapedJson(JSON.stringify(sanitizeTokens(string(value, "escape_json"))).slice(1, -1)).replaceAll("/", "\\/");
}

/** JSON text. As such it is no protection: text inside keeps its tokens. */
export function tojson(value: unknown, indent = 0): string {
  const written = JSON.stringify(value === undefined ? null : value, null, indent);
  if (written === undefined) throw new TypeError(`The template filter tojson got a ${typeof value}.`);
  return escapedJson(written);
}

function escapedJson(written: string): string {
  return written.replace(/[\u2028\u2029]/g, (char) => (char === "\u2028" ? "\\u2028" : "\\u2029"));
}
