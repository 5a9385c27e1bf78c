/**
 * The fast way to read a stream: line after line differs in one text and a few fields that do not matter. A template
 * is learned from a line that JSON.parse has read; a later line that equals it everywhere but in those places means
 * the same, so it needs no parsing. Any other line is left to JSON.parse: the results are equal by construction.
 */

/** Which places of a line may differ. Paths are dotted: `choices.0.delta.content`. */
export interface TemplateShape {
  /** The string whose value matters. */
  readonly text: string;
  /** Strings and whole numbers whose value does not matter; a path that ends in `.` covers all below it. */
  readonly ignored: readonly string[];
}

/** Fixed text, then a place that differs; `tail` follows the last place. */
interface Segment {
  readonly fixed: string;
  readonly kind: "text" | "string" | "number";
}

export class Template {
  /** Where the matched line's text is, as JSON string content without its quotes. */
  textStart = 0;
  textEnd = 0;
  /** The text has escapes. */
  escaped = false;

  readonly #segments: readonly Segment[];
  /** What follows the last place, without the last brace: servers pad the space before it. */
  readonly #tail: string;

  private constructor(segments: readonly Segment[], tail: string) {
    this.#segments = segments;
    this.#tail = tail;
  }

  /** Learns a line of valid JSON; `undefined` if the text is not in it exactly once. */
  static learn(line: string, shape: TemplateShape): Template | undefined {
    const places: Place[] = [];
    if (new Scanner(line, shape, places).value("") === undefined) return undefined;
    if (places.filter((place) => place.kind === "text").length !== 1) return undefined;
    const segments: Segment[] = [];
    let from = 0;
    for (const place of places) {
      segments.push({ fixed: line.slice(from, place.start), kind: place.kind });
      from = place.end;
    }
    const tail = line.slice(from).trimEnd();
    return tail.endsWith("}") ? new Template(segments, tail.slice(0, -1).trimEnd()) : undefined;
  }

  /** Does the line say the same as the learned one, with another text? Then `text()` reads it. */
  matches(line: string, start: number, end: number): boolean {
    let position = start;
    for (const segment of this.#segments) {
      const fixedEnd = position + segment.fixed.length;
      // Comparing slices runs at memcmp speed; startsWith compares character by character.
      if (line.slice(position, fixedEnd) !== segment.fixed) return false;
      position =
        segment.kind === "number" ? numberEnd(line, fixedEnd, end) : this.#stringEnd(line, fixedEnd, end, segment);
      if (position < 0) return false;
    }
    if (position + this.#tail.length >= end) return false;
    const tailEnd = position + this.#tail.length;
    if (line.slice(position, tailEnd) !== this.#tail) return false;
    return endsWithBrace(line, tailEnd, end);
  }

  /** The text of the line that matched last. */
  text(line: string): string {
    const raw = line.slice(this.textStart, this.textEnd);
    if (!this.escaped) return raw;
    const text: string = JSON.parse(`"${raw}"`);
    return text;
  }

  /** The end of a string's content, or -1 where this way cannot read it. */
  #stringEnd(line: string, start: number, end: number, segment: Segment): number {
    const isText = segment.kind === "text";
    let escaped = false;
    let position = start;
    for (; position < end; position++) {
      const unit = line.charCodeAt(position);
      if (unit === QUOTE) break;
      if (unit < SPACE) return -1;
      if (unit !== BACKSLASH) continue;
      if (!isText) return -1;
      const length = escapeLength(line, position, end);
      if (length === 0) return -1;
      escaped = true;
      position += length - 1;
    }
    if (position >= end) return -1;
    if (isText) {
      this.textStart = start;
      this.textEnd = position;
      this.escaped = escaped;
    }
    return position;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const BRACE = 0x7d;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_U = 0x75;

/** The length of a valid escape, or 0: JSON.parse refuses the others, so the template must refuse them too. */
function escapeLength(line: string, start: number, end: number): number {
  const kind = line.charCodeAt(start + 1);
  if (kind !== LOWER_U) return '"\\/bfnrt'.includes(line.charAt(start + 1)) && start + 1 < end ? 2 : 0;
  if (start + 6 > end) return 0;
  return /^[0-9a-fA-F]{4}$/.test(line.slice(start + 2, start + 6)) ? 6 : 0;
}

/** The end of a whole number without a sign, or -1. */
function numberEnd(line: string, start: number, end: number): number {
  let position = start;
  while (position < end && isDigit(line.charCodeAt(position))) position++;
  if (position === start) return -1;
  if (position > start + 1 && line.charCodeAt(start) === ZERO) return -1;
  return position;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

function endsWithBrace(line: string, start: number, end: number): boolean {
  let position = start;
  while (position < end && line.charCodeAt(position) === SPACE) position++;
  if (line.charCodeAt(position) !== BRACE) return false;
  position++;
  while (position < end && line.charCodeAt(position) === SPACE) position++;
  return position === end;
}

interface Place {
  readonly kind: Segment["kind"];
  /** Inside the quotes of a string. */
  readonly start: number;
  readonly end: number;
}

/** Walks valid JSON once and notes the places that may differ. Every method gives the position after what it read. */
class Scanner {
  readonly #line: string;
  readonly #shape: TemplateShape;
  readonly #places: Place[];
  #at = 0;

  constructor(line: string, shape: TemplateShape, places: Place[]) {
    this.#line = line;
    this.#shape = shape;
    this.#places = places;
  }

  value(path: string): number | undefined {
    this.#space();
    const first = this.#line.charAt(this.#at);
    if (first === "{") return this.#members(path);
    if (first === "[") return this.#elements(path);
    if (first === '"') return this.#string(path);
    return this.#literal(path);
  }

  #members(path: string): number | undefined {
    this.#at++;
    for (;;) {
      this.#space();
      if (this.#line.charAt(this.#at) === "}") return ++this.#at;
      const start = this.#at + 1;
      if (this.#stringEnd() === undefined) return undefined;
      const key = this.#line.slice(start, this.#at - 1);
      this.#space();
      this.#at++;
      if (this.value(path === "" ? key : `${path}.${key}`) === undefined) return undefined;
      this.#space();
      if (this.#line.charAt(this.#at) === ",") this.#at++;
      else if (this.#line.charAt(this.#at) !== "}") return undefined;
    }
  }

  #elements(path: string): number | undefined {
    this.#at++;
    for (let index = 0; ; index++) {
      this.#space();
      if (this.#line.charAt(this.#at) === "]") return ++this.#at;
      if (this.value(`${path}.${index}`) === undefined) return undefined;
      this.#space();
      if (this.#line.charAt(this.#at) === ",") this.#at++;
      else if (this.#line.charAt(this.#at) !== "]") return undefined;
    }
  }

  #string(path: string): number | undefined {
    const start = this.#at + 1;
    if (this.#stringEnd() === undefined) return undefined;
    if (path === this.#shape.text) this.#places.push({ kind: "text", start, end: this.#at - 1 });
    else if (this.#isIgnored(path)) this.#places.push({ kind: "string", start, end: this.#at - 1 });
    return this.#at;
  }

  #literal(path: string): number | undefined {
    const start = this.#at;
    while (this.#at < this.#line.length && !",}] \t\r\n".includes(this.#line.charAt(this.#at))) this.#at++;
    if (this.#at === start) return undefined;
    const whole = numberEnd(this.#line, start, this.#at) === this.#at;
    if (whole && this.#isIgnored(path)) this.#places.push({ kind: "number", start, end: this.#at });
    return this.#at;
  }

  #stringEnd(): number | undefined {
    let at = this.#at + 1;
    while (at < this.#line.length && this.#line.charCodeAt(at) !== QUOTE)
      at += this.#line.charCodeAt(at) === BACKSLASH ? 2 : 1;
    if (at >= this.#line.length) return undefined;
    this.#at = at + 1;
    return this.#at;
  }

  #isIgnored(path: string): boolean {
    return this.#shape.ignored.some((ignored) => (ignored.endsWith(".") ? path.startsWith(ignored) : path === ignored));
  }

  #space(): void {
    while (" \t\r\n".includes(this.#line.charAt(this.#at)) && this.#at < this.#line.length) this.#at++;
  }
}
