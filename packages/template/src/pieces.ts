/** A body -> texts, prints, tags and comments; the blockquote rule and trim markers are applied here. */
import { TemplateError, type TemplateSource } from "./error.js";

export interface Piece {
  readonly kind: "text" | "print" | "tag" | "comment";
  /** Of a text: what is left of it. */
  readonly text: string;
  /** What stands between the markers. */
  readonly start: number;
  readonly end: number;
}

const CLOSERS = { "{{": "}}", "{%": "%}", "{#": "#}" } as const;
const KINDS = { "{{": "print", "{%": "tag", "{#": "comment" } as const;
type Opener = keyof typeof CLOSERS;

/** @throws {TemplateError} where a marker is not closed or a line breaks the blockquote rule */
export function splitBody(source: TemplateSource, bodyStart: number): Piece[] {
  return new Splitter(source, bodyStart).run();
}

class Splitter {
  readonly #source: TemplateSource;
  readonly #bodyStart: number;
  readonly #end: number;
  readonly #pieces: Piece[] = [];
  #at: number;
  #trimNext = false;

  constructor(source: TemplateSource, bodyStart: number) {
    this.#source = source;
    // The template's own first blank lines and last line end are no output.
    const blank = /^(?:[ \t]*\n)*/.exec(source.text.slice(bodyStart))?.[0].length ?? 0;
    this.#bodyStart = bodyStart + blank;
    this.#end = Math.max(this.#bodyStart, source.text.trimEnd().length);
    this.#at = this.#bodyStart;
  }

  run(): Piece[] {
    const { text } = this.#source;
    while (this.#at < this.#end) {
      const next = this.#nextMarker();
      if (next === undefined) {
        this.#text(text.slice(this.#at, this.#end));
        break;
      }
      const quoted = next.opener === "{{" ? undefined : this.#quoteStart(next.at);
      if (quoted === undefined) {
        this.#text(text.slice(this.#at, next.at));
        this.#at = this.#marker(next.at, next.opener);
      } else {
        this.#text(withoutBlankLine(text.slice(this.#at, quoted)));
        this.#blockquote(next.at);
      }
    }
    return this.#pieces;
  }

  #nextMarker(): { readonly opener: Opener; readonly at: number } | undefined {
    const found = /\{[{%#]/g;
    found.lastIndex = this.#at;
    const match = found.exec(this.#source.text);
    if (match === null || match.index >= this.#end) return undefined;
    const opener = match[0];
    return isOpener(opener) ? { opener, at: match.index } : undefined;
  }

  /** Where the line `> {% … %}` begins; undefined for a tag inside a line. */
  #quoteStart(at: number): number | undefined {
    const { text } = this.#source;
    const line = Math.max(text.lastIndexOf("\n", at - 1) + 1, this.#bodyStart);
    const before = text.slice(line, at);
    if (/^[ \t]*$/.test(before) && line >= this.#at)
      throw new TemplateError(
        "blockquote",
        "A line that begins with a tag or a comment is written `> {% … %}`.",
        this.#source,
        at,
      );
    if (!/^>[ \t]*$/.test(before)) return undefined;
    const above = text.slice(this.#bodyStart, line);
    if (above !== "" && !/(?:^|\n)[ \t]*\n$/.test(above) && line !== this.#at)
      throw new TemplateError("blockquote", "A blank line must stand above this line.", this.#source, line);
    return line;
  }

  /** The tags of one blockquote line, and the blank line below it. */
  #blockquote(first: number): void {
    const { text } = this.#source;
    this.#at = first;
    for (;;) {
      const opener = text.slice(this.#at, this.#at + 2);
      if (!isOpener(opener) || opener === "{{")
        throw new TemplateError(
          "blockquote",
          "A line that begins with a tag holds nothing but tags and comments.",
          this.#source,
          this.#at,
        );
      this.#at = this.#marker(this.#at, opener);
      this.#at += /^[ \t]*/.exec(text.slice(this.#at, this.#end))?.[0].length ?? 0;
      if (this.#at >= this.#end) return;
      if (text.charAt(this.#at) === "\n") break;
    }
    this.#at += 1;
    const below = /^[^\n]*/.exec(text.slice(this.#at, this.#end))?.[0] ?? "";
    if (/^[ \t]*$/.test(below)) this.#at = Math.min(this.#at + below.length + 1, this.#end);
    else if (!/^>[ \t]*\{[%#]/.test(below))
      throw new TemplateError("blockquote", "A blank line must stand below the line of a tag.", this.#source, this.#at);
  }

  #text(text: string): void {
    const kept = this.#trimNext ? text.trimStart() : text;
    this.#trimNext = false;
    if (kept !== "") this.#pieces.push({ kind: "text", text: kept, start: this.#at, end: this.#at + text.length });
  }

  /** Adds what begins at the marker and gives where it ends. */
  #marker(at: number, opener: Opener): number {
    const { text } = this.#source;
    const closer = CLOSERS[opener];
    const close = opener === "{#" ? text.indexOf(closer, at + 2) : closerAt(text, at + 2, closer);
    if (close < 0) throw new TemplateError("syntax", `\`${opener}\` has no \`${closer}\`.`, this.#source, at);
    const start = text.charAt(at + 2) === "-" && !/\d/.test(text.charAt(at + 3)) ? at + 3 : at + 2;
    const end = close > start && text.charAt(close - 1) === "-" ? close - 1 : close;
    if (start > at + 2) this.#trimLast();
    this.#trimNext = end < close;
    const raw = opener === "{%" ? /^\s*raw(?:\s+"(\w+)")?\s*$/.exec(text.slice(start, end)) : null;
    if (raw !== null) return this.#raw(close + 2, raw[1], at);
    this.#pieces.push({ kind: KINDS[opener], text: "", start, end });
    return close + 2;
  }

  #raw(from: number, name: string | undefined, at: number): number {
    const end = name === undefined ? /\{%\s*\/raw\s*%\}/g : new RegExp(`\\{%\\s*/raw\\s+"${name}"\\s*%\\}`, "g");
    end.lastIndex = from;
    const { text } = this.#source;
    const found = end.exec(text);
    if (found === null) throw new TemplateError("syntax", "`{% raw %}` has no `{% /raw %}`.", this.#source, at);
    const body = text.slice(from, found.index);
    // On lines of their own, `> {% raw %}` and `> {% /raw %}` take their lines and blank lines with them.
    const onLines = /^[ \t]*\n/.test(body) && /\n>[ \t]*$/.test(body);
    this.#text(onLines ? body.replace(/^[ \t]*\n(?:[ \t]*\n)?/, "").replace(/\n(?:[ \t]*\n)?>[ \t]*$/, "\n") : body);
    return found.index + found[0].length;
  }

  #trimLast(): void {
    const last = this.#pieces.at(-1);
    if (last?.kind !== "text") return;
    this.#pieces.pop();
    const text = last.text.trimEnd();
    if (text !== "") this.#pieces.push({ ...last, text });
  }
}

function isOpener(text: string): text is Opener {
  return Object.hasOwn(CLOSERS, text);
}

/** The closer that stands in no string. */
function closerAt(text: string, from: number, closer: string): number {
  let quote = "";
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
    } else if (text.startsWith(closer, at)) return at;
    else if (char === '"' || char === "'") quote = char;
  }
  return -1;
}

function withoutBlankLine(text: string): string {
  return text.replace(/(^|\n)[ \t]*\n$/, "$1");
}
