/** Text to lines (CR, LF or CRLF), whatever the split, with a bound on what is held. */
import { ClientError } from "../error.js";
import { utf8Length } from "./utf8.js";

export const DEFAULT_MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** Gets each line as a range of a larger text, so that a line that is not kept is never copied. */
export interface LineSink {
  line(text: string, start: number, end: number, bytes: number): void;
  /**
   * Offers the text after a line, before it is cut into lines. Gives the position up to which the sink has read it by
   * itself: whole lines only, or nothing.
   */
  shortcut?(text: string, position: number): number;
}

export class LineReader {
  readonly #sink: LineSink;
  readonly #maxBytes: number;
  /**
   * The unfinished line. Only the new text is searched for a line end, so that the engine can leave the pieces apart
   * until the line is whole: searching all of it at each chunk would be quadratic on long lines.
   */
  #held = "";
  #heldBytes = 0;
  /** The last text ended with CR; an LF at the start of the next one belongs to it. */
  #afterCr = false;

  constructor(sink: LineSink, maxBytes: number) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
  }

  /** `ascii`: the text has as many characters as it had bytes. */
  push(text: string, ascii: boolean): void {
    if (text.length === 0) return;
    let position = 0;
    if (this.#afterCr) {
      this.#afterCr = false;
      if (text.charCodeAt(0) === LF) position = 1;
    }
    if (this.#held === "") position = this.#skip(text, position);
    let lf = text.indexOf("\n", position);
    let cr = text.indexOf("\r", position);
    while (lf !== -1 || cr !== -1) {
      const endsWithCr = cr !== -1 && (lf === -1 || cr < lf);
      const end = endsWithCr ? cr : lf;
      this.#finish(text, position, end, ascii);
      position = end + 1;
      if (endsWithCr) {
        if (position === text.length) this.#afterCr = true;
        else if (lf === position) position++;
      }
      position = this.#skip(text, position);
      if (cr !== -1 && cr < position) cr = text.indexOf("\r", position);
      if (lf !== -1 && lf < position) lf = text.indexOf("\n", position);
    }
    if (position < text.length) this.#hold(text, position, ascii);
  }

  /** The text after the last line end; the reader is empty afterwards. */
  rest(): string {
    const text = this.#held;
    this.#held = "";
    this.#heldBytes = 0;
    return text;
  }

  #skip(text: string, position: number): number {
    // Where a line could be too long, each one is measured.
    if (position >= text.length || text.length * MAX_UTF8_BYTES > this.#maxBytes) return position;
    return this.#sink.shortcut?.(text, position) ?? position;
  }

  #finish(text: string, start: number, end: number, ascii: boolean): void {
    const bytes = this.#heldBytes + (ascii ? end - start : utf8Length(text, start, end));
    if (bytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
    if (this.#held === "") {
      this.#sink.line(text, start, end, bytes);
    } else {
      const line = this.rest() + text.slice(start, end);
      this.#sink.line(line, 0, line.length, bytes);
    }
  }

  #hold(text: string, start: number, ascii: boolean): void {
    this.#heldBytes += ascii ? text.length - start : utf8Length(text, start, text.length);
    if (this.#heldBytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
    this.#held += start === 0 ? text : text.slice(start);
  }
}

const LF = 0x0a;
/** Of one UTF-16 unit. */
const MAX_UTF8_BYTES = 3;

export function tooLarge(maxBytes: number): ClientError {
  return new ClientError(
    "event_too_large",
    `One event of the stream is larger than ${maxBytes} bytes. Raise maxEventBytes if the provider really sends such events.`,
  );
}
