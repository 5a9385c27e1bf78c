/**
 * The fast way to read a stream: line after line differs in one text and a few fields that do not matter. A template
 * is learned from a line that JSON.parse has read; a later line that equals it everywhere but in those places means
 * the same, so it needs no parsing. Any other line is left to JSON.parse: the results are equal by construction.
 */
import { findPlaces } from "./template-places.js";

/** Which places of a line may differ. Paths are dotted: `choices.0.delta.content`. */
export interface TemplateShape {
  /** The string whose value matters. */
  readonly text: string;
  /** Strings and whole numbers whose value does not matter; a path that ends in `.` covers all below it. */
  readonly ignored: readonly string[];
  /** Also without meaning, but constant in nearly every stream, where comparing it is faster than skipping it. */
  readonly loose?: readonly string[];
}

export type PlaceKind = "text" | "string" | "number";

export class Template {
  /** Where the matched line's text is, as JSON string content without its quotes. */
  textStart = 0;
  textEnd = 0;
  /** The text has escapes. */
  escaped = false;

  /** The fixed text before each place. */
  readonly #fixed: readonly string[];
  readonly #kinds: readonly PlaceKind[];
  /** What follows the last place, without the last brace: servers pad the space before it. */
  readonly #tail: string;
  /** Two characters of the first fixed text: most other lines differ there, and a look costs less than a comparison. */
  readonly #probeAt: number;
  readonly #probe: number;
  readonly #lastAt: number;
  readonly #last: number;

  private constructor(fixed: readonly string[], kinds: readonly PlaceKind[], tail: string) {
    this.#fixed = fixed;
    this.#kinds = kinds;
    this.#tail = tail;
    const first = fixed[0] ?? "";
    this.#probeAt = Math.floor(first.length / 2);
    this.#probe = first.charCodeAt(this.#probeAt);
    this.#lastAt = first.length - 1;
    this.#last = first.charCodeAt(this.#lastAt);
  }

  /** Learns a line of valid JSON; `undefined` if the text is not in it exactly once. */
  static learn(line: string, shape: TemplateShape): Template | undefined {
    const places = findPlaces(line, shape);
    if (places === undefined || places.filter((place) => place.kind === "text").length !== 1) return undefined;
    const fixed: string[] = [];
    let from = 0;
    for (const place of places) {
      fixed.push(line.slice(from, place.start));
      from = place.end;
    }
    const tail = line.slice(from).trimEnd();
    if (!tail.endsWith("}")) return undefined;
    return new Template(
      fixed,
      places.map((place) => place.kind),
      tail.slice(0, -1).trimEnd(),
    );
  }

  /** The same with text before the line, so that both are compared at once. */
  after(before: string): Template {
    const [first = "", ...rest] = this.#fixed;
    return new Template([before + first, ...rest], this.#kinds, this.#tail);
  }

  /** Does the line say the same as the learned one, with another text? Then `text()` reads it. */
  matches(line: string, start: number, end: number): boolean {
    return this.match(line, start, end) === end;
  }

  /** Where the line ends that says the same as the learned one, or -1. */
  match(line: string, start: number, end: number): number {
    if (line.charCodeAt(start + this.#lastAt) !== this.#last) return -1;
    if (line.charCodeAt(start + this.#probeAt) !== this.#probe) return -1;
    const fixed = this.#fixed;
    const kinds = this.#kinds;
    let position = start;
    for (let i = 0; i < fixed.length; i++) {
      const expected = fixed[i] ?? "";
      const fixedEnd = position + expected.length;
      if (!stands(expected, line, position)) return -1;
      const kind = kinds[i];
      if (kind === "number") position = numberEnd(line, fixedEnd, end);
      else if (kind === "string") position = plainEnd(line, fixedEnd, end);
      else position = this.#textEnd(line, fixedEnd, end);
      if (position < 0) return -1;
    }
    const tailEnd = position + this.#tail.length;
    if (tailEnd >= end || !stands(this.#tail, line, position)) return -1;
    return braceEnd(line, tailEnd, end);
  }

  /** The text of the line that matched last. */
  text(line: string): string {
    const raw = line.slice(this.textStart, this.textEnd);
    if (!this.escaped) return raw;
    const text: string = JSON.parse(`"${raw}"`);
    return text;
  }

  #textEnd(line: string, start: number, end: number): number {
    this.escaped = false;
    this.textStart = start;
    for (let position = start; position < end; position++) {
      const unit = line.charCodeAt(position);
      if (unit === QUOTE) {
        this.textEnd = position;
        return position;
      }
      if (unit < SPACE) return -1;
      if (unit !== BACKSLASH) continue;
      const length = escapeLength(line, position, end);
      if (length === 0) return -1;
      this.escaped = true;
      position += length - 1;
    }
    return -1;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const BRACE = 0x7d;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_U = 0x75;

/** Long texts compare fastest as slices, at memcmp speed; for short ones making the slice costs more than comparing. */
const SHORT = 8;

export function stands(expected: string, line: string, position: number): boolean {
  if (expected.length <= SHORT) return line.startsWith(expected, position);
  return line.slice(position, position + expected.length) === expected;
}

/** The end of a string without escapes, or -1. */
function plainEnd(line: string, start: number, end: number): number {
  for (let position = start; position < end; position++) {
    const unit = line.charCodeAt(position);
    if (unit === QUOTE) return position;
    if (unit < SPACE || unit === BACKSLASH) return -1;
  }
  return -1;
}

/** The length of a valid escape, or 0: JSON.parse refuses the others, so the template must refuse them too. */
function escapeLength(line: string, start: number, end: number): number {
  if (start + 1 >= end) return 0;
  if (line.charCodeAt(start + 1) !== LOWER_U) return '"\\/bfnrt'.includes(line.charAt(start + 1)) ? 2 : 0;
  if (start + 6 > end) return 0;
  return /^[0-9a-fA-F]{4}$/.test(line.slice(start + 2, start + 6)) ? 6 : 0;
}

/** The end of a whole number without a sign, or -1. */
export function numberEnd(line: string, start: number, end: number): number {
  let position = start;
  while (position < end && isDigit(line.charCodeAt(position))) position++;
  if (position === start) return -1;
  if (position > start + 1 && line.charCodeAt(start) === ZERO) return -1;
  return position;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

/** After the last brace and the spaces around it, or -1. */
function braceEnd(line: string, start: number, end: number): number {
  let position = start;
  while (position < end && line.charCodeAt(position) === SPACE) position++;
  if (position >= end || line.charCodeAt(position) !== BRACE) return -1;
  position++;
  while (position < end && line.charCodeAt(position) === SPACE) position++;
  return position;
}
