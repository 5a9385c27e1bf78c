/**
 * Whether a delimiter begins at a place. Each answer depends on the text from there to the next opening character only,
 * which keeps the whole linear, and none becomes true when openers elsewhere are escaped, which keeps it idempotent:
 * an escape begins with `&`, and `&` is part of no token.
 */
import { fold, type Reader } from "./fold.js";
import {
  ASSIGNED_NAMES,
  BRACKET_NAMES,
  CAPITAL_BRACKET_NAMES,
  NUMBERED_BRACKET,
  NUMBERED_TAG,
  OPEN_BAR_NAMES,
  TAG_NAMES,
  TAG_NAMESPACES,
  TURN_NAMES,
} from "./tokens.js";

/** Longer names are no tokens of anybody's. */
const LONGEST_NAME = 128;
const TAGS = joined(TAG_NAMES);
const OPEN_BARS = joined(OPEN_BAR_NAMES);
const BRACKETS = joined(BRACKET_NAMES);

/** Names are compared without what joins their words: `tool-call` looks like `tool_call`. */
export function joinedName(name: string): string {
  return /[_▁-]/.test(name) ? name.replace(/[_▁-]/g, "") : name;
}

function isNameChar(char: string): boolean {
  const code = char.charCodeAt(0);
  if (code >= 0x80) return /^[\p{L}\p{N}▁]/u.test(char);
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2e || code === 0x2d
  );
}

/** Between bars; code has brackets and commas there, tokens do not. */
function isBarNameChar(char: string): boolean {
  return !/^[\s|<>[\](){},;&]/u.test(char);
}

function endsInDigit(name: string): boolean {
  const code = name.charCodeAt(name.length - 1);
  return code >= 0x30 && code <= 0x39;
}

/** After `<`. `tags` are more names, joined. */
export function isAngleToken(reader: Reader, tags: ReadonlySet<string>): boolean {
  reader.skipSpace();
  if (reader.take("<")) return isLlamaSystem(reader);
  skipSlashes(reader);
  if (reader.char === "|") return isBarToken(reader);
  const name = reader.takeWhile(isNameChar, LONGEST_NAME);
  if (name === undefined || name === "") return false;
  if (reader.char === ":") return TAG_NAMESPACES.has(name) || (TURN_NAMES.has(name) && tags.has(name));
  const word = joinedName(name);
  if (TAGS.has(word) || tags.has(word) || (endsInDigit(name) && NUMBERED_TAG.test(name))) return true;
  reader.skipSpace();
  if (reader.char === "=") return ASSIGNED_NAMES.has(name);
  return takeBars(reader) && reader.char === ">";
}

/** `<<SYS>>`, after its second character. */
function isLlamaSystem(reader: Reader): boolean {
  reader.skipSpace();
  skipSlashes(reader);
  return reader.takeWhile(isNameChar, LONGEST_NAME) === "sys";
}

/** `<|name|>`, `<|name>`, and `<|name` where the name is well known; at the first bar. */
function isBarToken(reader: Reader): boolean {
  takeBars(reader);
  const words = takeWords(reader);
  if (words === 0) return false;
  if (words === "known") return true;
  if (reader.char === ">") return words === 1;
  // `f <| x y | z` is code; a token of several words has its closing bracket.
  return takeBars(reader) && (words === 1 || reader.char === ">");
}

/** How many words stand before what is no word; stops after a first one that is well known. */
function takeWords(reader: Reader): number | "known" {
  let words = 0;
  let left = LONGEST_NAME;
  for (;;) {
    const word = reader.takeWhile(isBarNameChar, left);
    if (word === undefined) return 0;
    if (word === "") return words;
    if (words === 0 && OPEN_BARS.has(joinedName(word))) return "known";
    words++;
    left -= word.length;
    reader.skipSpace();
  }
}

/** After `[`. */
export function isBracketToken(reader: Reader, text: string): boolean {
  reader.skipSpace();
  skipSlashes(reader);
  if (takeBars(reader)) {
    const words = takeWords(reader);
    return words === "known" || (words > 0 && takeBars(reader) && reader.char === "]");
  }
  const start = reader.index;
  const name = reader.takeWhile(isNameChar, LONGEST_NAME);
  if (name === undefined || name === "") return false;
  const written = text.slice(start, reader.index).trim();
  if (name === "e" && reader.take("~")) return reader.char === "[";
  const known = BRACKETS.has(joinedName(name)) || NUMBERED_BRACKET.test(name);
  // Other cases are names in programs (`[inst for inst in all]`) unless the bracket holds nothing else.
  if (known && written === written.toUpperCase()) return true;
  reader.skipSpace();
  return reader.char === "]" && (known || CAPITAL_BRACKET_NAMES.has(written.normalize("NFKC")));
}

/** After `]`: `]~b]` and `]~!b[`. */
export function isTildeToken(reader: Reader): boolean {
  if (!reader.take("~")) return false;
  const begin = reader.take("!");
  return reader.take("b") && reader.char === (begin ? "[" : "]");
}

/** Whether the colon at the index ends `Human` or `Assistant` after an empty line or nothing. */
export function isTurnColon(text: string, index: number): boolean {
  // Nearly all colons end here.
  const before = text.charCodeAt(index - 1);
  if (before > 0x20 && before < 0x7f && !isTurnEnd(before | 0x20)) return false;
  let at = index;
  let name = "";
  while (at > 0 && name.length <= 9) {
    const codePoint = codePointBefore(text, at);
    const char = fold(codePoint);
    const isLineEnd = char === " " && isNewline(codePoint);
    if (isLineEnd || (char === " " && name !== "") || (char !== " " && char !== "" && !/^[a-z]+$/.test(char))) break;
    if (char !== " ") name = char + name;
    at -= codePoint > 0xffff ? 2 : 1;
  }
  return TURN_NAMES.has(name) && followsEmptyLine(text, at);
}

/** The last letter of `human` or `assistant`. */
function isTurnEnd(code: number): boolean {
  return code === 0x6e || code === 0x74;
}

function followsEmptyLine(text: string, index: number): boolean {
  let newlines = 0;
  for (let at = index; at > 0; ) {
    const codePoint = codePointBefore(text, at);
    const char = fold(codePoint);
    if (char !== "" && char !== " ") return false;
    at -= codePoint > 0xffff ? 2 : 1;
    const pair = codePoint === 10 && text.charCodeAt(at - 1) === 13;
    if (pair) at--;
    if (isNewline(codePoint) && ++newlines === 2) return true;
  }
  return true;
}

function isNewline(codePoint: number): boolean {
  return (codePoint >= 10 && codePoint <= 13) || codePoint === 0x85 || codePoint === 0x2028 || codePoint === 0x2029;
}

function codePointBefore(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1);
  const pair = (unit & 0xfc00) === 0xdc00 && index >= 2 ? text.codePointAt(index - 2) : undefined;
  return pair !== undefined && pair > 0xffff ? pair : unit;
}

function skipSlashes(reader: Reader): void {
  while (reader.take("/")) reader.skipSpace();
}

/** Bars and the space around them; false where there is none. */
function takeBars(reader: Reader): boolean {
  reader.skipSpace();
  const found = reader.char === "|";
  while (reader.take("|")) reader.skipSpace();
  return found;
}

function joined(names: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].map(joinedName));
}
