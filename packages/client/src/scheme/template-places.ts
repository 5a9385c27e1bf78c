/** Walks a line of valid JSON once and notes the places that a template lets differ. */
import { numberEnd, type PlaceKind, type TemplateShape } from "./template.js";

export interface Place {
  readonly kind: PlaceKind;
  /** Inside the quotes of a string. */
  readonly start: number;
  readonly end: number;
}

/** In the order of the line; `undefined` where the line cannot be walked. */
export function findPlaces(line: string, shape: TemplateShape): readonly Place[] | undefined {
  const walker = new Walker(line, shape);
  return walker.value("") ? walker.places : undefined;
}

/** Every method gives false where the text is not what it expects. */
class Walker {
  readonly places: Place[] = [];
  readonly #line: string;
  readonly #shape: TemplateShape;
  #at = 0;

  constructor(line: string, shape: TemplateShape) {
    this.#line = line;
    this.#shape = shape;
  }

  value(path: string): boolean {
    switch (this.#next()) {
      case OPEN_BRACE:
        return this.#members(path);
      case OPEN_BRACKET:
        return this.#elements(path);
      case QUOTE:
        return this.#string(path);
      default:
        return this.#literal(path);
    }
  }

  #members(path: string): boolean {
    this.#at++;
    for (;;) {
      if (this.#next() === CLOSE_BRACE) break;
      const start = this.#at + 1;
      if (!this.#skipString()) return false;
      const key = this.#line.slice(start, this.#at - 1);
      if (this.#next() !== COLON) return false;
      this.#at++;
      if (!this.value(path === "" ? key : `${path}.${key}`)) return false;
      if (this.#next() === COMMA) this.#at++;
      else if (this.#next() !== CLOSE_BRACE) return false;
    }
    this.#at++;
    return true;
  }

  #elements(path: string): boolean {
    this.#at++;
    for (let index = 0; this.#next() !== CLOSE_BRACKET; index++) {
      if (!this.value(`${path}.${index}`)) return false;
      if (this.#next() === COMMA) this.#at++;
      else if (this.#next() !== CLOSE_BRACKET) return false;
    }
    this.#at++;
    return true;
  }

  #string(path: string): boolean {
    const start = this.#at + 1;
    if (!this.#skipString()) return false;
    if (path === this.#shape.text) this.places.push({ kind: "text", start, end: this.#at - 1 });
    else if (this.#isIgnored(path)) this.places.push({ kind: "string", start, end: this.#at - 1 });
    return true;
  }

  #literal(path: string): boolean {
    const line = this.#line;
    const start = this.#at;
    let at = start;
    for (; at < line.length; at++) {
      const unit = line.charCodeAt(at);
      if (unit === COMMA || unit === CLOSE_BRACE || unit === CLOSE_BRACKET || unit <= SPACE) break;
    }
    this.#at = at;
    if (this.#isIgnored(path) && numberEnd(line, start, at) === at)
      this.places.push({ kind: "number", start, end: at });
    return at > start;
  }

  #skipString(): boolean {
    const line = this.#line;
    if (line.charCodeAt(this.#at) !== QUOTE) return false;
    let at = this.#at + 1;
    while (at < line.length) {
      const unit = line.charCodeAt(at);
      if (unit === QUOTE) {
        this.#at = at + 1;
        return true;
      }
      at += unit === BACKSLASH ? 2 : 1;
    }
    return false;
  }

  #isIgnored(path: string): boolean {
    for (const ignored of this.#shape.ignored) {
      if (ignored.endsWith(".") ? path.startsWith(ignored) : path === ignored) return true;
    }
    return false;
  }

  /** The next character that is no space; NaN at the end. */
  #next(): number {
    const line = this.#line;
    let at = this.#at;
    while (at < line.length && line.charCodeAt(at) <= SPACE) at++;
    this.#at = at;
    return line.charCodeAt(at);
  }
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
