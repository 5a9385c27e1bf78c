/** Where a text may be cut: between graphemes, or between lines where one begins nearby. */
import { charBoundary } from "./bytes.js";

export type Alignment = "char" | "line";

/** How far a newline may be, in UTF-16 units. */
const LINE_REACH = 4096;
/** Graphemes longer than this are cut between characters. */
const GRAPHEME_REACH = 4096;
const LF = 10;
const CR = 13;

/** The last place at or before the index where a head may end. */
export function alignHead(text: string, index: number, alignment: Alignment): number {
  if (index <= 0 || index >= text.length) return index;
  if (alignment === "line") {
    const from = Math.max(0, index - LINE_REACH);
    const newline = text.slice(from, index).lastIndexOf("\n");
    if (newline >= 0) return from + newline + 1;
  }
  return graphemeAround(text, index).start;
}

/** The first place at or after the index where a tail may start. */
export function alignTail(text: string, index: number, alignment: Alignment): number {
  if (index <= 0 || index >= text.length) return index;
  if (alignment === "line") {
    if (text.charCodeAt(index - 1) === LF) return index;
    const newline = text.slice(index, index + LINE_REACH).indexOf("\n");
    const start = index + newline + 1;
    // A newline that ends the text starts no line: the whole tail would be lost for it.
    if (newline >= 0 && start < text.length) return start;
  }
  return graphemeAround(text, index).end;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The grapheme that the index would split; an empty span where it splits none. */
function graphemeAround(text: string, index: number): Span {
  if (isPlainBoundary(text, index)) return { start: index, end: index };
  const segmenter = graphemes();
  if (segmenter === undefined) return characterAround(text, index);
  const from = windowStart(text, index);
  const to = windowEnd(text, index);
  const found = segmenter.segment(text.slice(from, to)).containing(index - from);
  if (found === undefined || found.index === index - from) return { start: index, end: index };
  const start = from + found.index;
  const end = start + found.segment.length;
  // What reaches the edge of the window may be longer than it.
  const whole = (start > from || isSafe(text, from)) && (end < to || isSafe(text, to));
  return whole ? { start, end } : characterAround(text, index);
}

function characterAround(text: string, index: number): Span {
  const start = charBoundary(text, index);
  if (start < index) return { start, end: index + 1 };
  if (text.charCodeAt(index - 1) === CR && text.charCodeAt(index) === LF) return { start: index - 1, end: index + 1 };
  return { start: index, end: index };
}

function windowStart(text: string, index: number): number {
  const least = Math.max(0, index - GRAPHEME_REACH);
  let at = index - 1;
  while (at > least && !isPlainBoundary(text, at)) at--;
  return charBoundary(text, Math.max(at, 0));
}

function windowEnd(text: string, index: number): number {
  const most = Math.min(text.length, index + GRAPHEME_REACH);
  let at = index + 1;
  while (at < most && !isPlainBoundary(text, at)) at++;
  return charBoundary(text, Math.min(at, text.length));
}

function isSafe(text: string, index: number): boolean {
  return index <= 0 || index >= text.length || isPlainBoundary(text, index);
}

/** True where two characters meet that no rule of Unicode ever joins, so that nothing further needs to be read. */
function isPlainBoundary(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return isPlain(before) && isPlain(after) && !(before === CR && after === LF);
}

/** ASCII, kana and CJK ideographs. */
function isPlain(unit: number): boolean {
  if (unit < 0x80) return true;
  return (unit >= 0x3041 && unit <= 0x3096) || (unit >= 0x30a1 && unit <= 0x30fa) || (unit >= 0x4e00 && unit <= 0x9fff);
}

let cached: Intl.Segmenter | undefined;

function graphemes(): Intl.Segmenter | undefined {
  if (typeof Intl === "undefined" || typeof Intl.Segmenter !== "function") return undefined;
  cached ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return cached;
}
