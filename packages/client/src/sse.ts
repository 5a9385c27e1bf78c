/**
 * Server-sent events: text to (event name, data).
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
import { DEFAULT_MAX_EVENT_BYTES, LineReader, tooLarge } from "./framing/lines.js";

export interface SseSink {
  /**
   * One event. Its data is `text` from `start` to `end`: a range, so that data which is not kept is never copied.
   * `name` is `""` where the stream names none (the specification's default is "message").
   */
  event(name: string, text: string, start: number, end: number): void;
  /**
   * Offers the text between two events. Gives the position up to which the sink has read it by itself: whole events
   * only, or nothing.
   */
  shortcut?(text: string, position: number): number;
  /** A comment line; servers send them to keep the connection open. */
  comment?(): void;
}

export class SseFramer {
  /** The last `id` field, as a reconnecting client would send it. */
  lastEventId = "";
  /** The last valid `retry` field, in milliseconds. */
  retryMs: number | undefined;

  readonly #sink: SseSink;
  readonly #maxEventBytes: number;
  readonly #lines: LineReader;

  #name = "";
  #lastName = "";
  /** The first data line, as a range: nearly every event has just one. */
  #text = "";
  #start = 0;
  #end = 0;
  #dataLines = 0;
  #more: string[] = [];
  #bytes = 0;

  /** @throws {ClientError} from `push`, code `event_too_large`, when one event exceeds `maxEventBytes`. */
  constructor(sink: SseSink, maxEventBytes = DEFAULT_MAX_EVENT_BYTES) {
    this.#sink = sink;
    this.#maxEventBytes = maxEventBytes;
    this.#lines = new LineReader(
      {
        line: (text, start, end, bytes) => this.#line(text, start, end, bytes),
        shortcut: (text, position) => this.#shortcut(text, position),
      },
      maxEventBytes,
    );
  }

  /** Takes any split of the text; `ascii` says that it has as many characters as it had bytes. */
  push(text: string, ascii: boolean): void {
    this.#lines.push(text, ascii);
  }

  /**
   * The text is over. The specification discards an event without its blank line; it is returned, not dispatched, for
   * callers whose servers leave the last blank line out.
   */
  end(): { readonly name: string; readonly data: string } | undefined {
    const rest = this.#lines.rest();
    if (rest !== "") this.#line(rest, 0, rest.length, 0);
    if (this.#dataLines === 0) return undefined;
    const event = { name: this.#name, data: this.#data() };
    this.#reset();
    return event;
  }

  #shortcut(text: string, position: number): number {
    const isBetweenEvents = this.#dataLines === 0 && this.#name === "";
    return isBetweenEvents && this.#sink.shortcut !== undefined ? this.#sink.shortcut(text, position) : position;
  }

  #line(text: string, start: number, end: number, bytes: number): void {
    if (start === end) {
      this.#dispatch();
    } else if (text.charCodeAt(start) === COLON) {
      this.#sink.comment?.();
    } else {
      const value = fieldEnd(text, start, end);
      if (isField(text, start, value, "data")) this.#dataLine(text, value, end, bytes);
      else if (isField(text, start, value, "event")) this.#nameLine(text, value, end);
      else this.#otherLine(text.slice(start, value), text.slice(valueStart(text, value, end), end));
    }
  }

  #otherLine(field: string, value: string): void {
    if (field === "id" && !value.includes("\0")) this.lastEventId = value;
    else if (field === "retry" && /^[0-9]+$/.test(value)) this.retryMs = Number(value);
  }

  #dataLine(text: string, fieldEndsAt: number, end: number, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxEventBytes) throw tooLarge(this.#maxEventBytes);
    const start = valueStart(text, fieldEndsAt, end);
    if (this.#dataLines++ === 0) {
      this.#text = text;
      this.#start = start;
      this.#end = end;
    } else {
      this.#more.push(text.slice(start, end));
    }
  }

  #nameLine(text: string, fieldEndsAt: number, end: number): void {
    const name = text.slice(valueStart(text, fieldEndsAt, end), end);
    // Streams repeat their names: handing out the same string makes comparing it cheap.
    if (name !== this.#lastName) this.#lastName = name;
    this.#name = this.#lastName;
  }

  #dispatch(): void {
    if (this.#dataLines === 1) {
      const text = this.#text;
      const name = this.#name;
      this.#sinkAfterReset(name, text, this.#start, this.#end);
    } else if (this.#dataLines > 1) {
      const data = this.#data();
      this.#sinkAfterReset(this.#name, data, 0, data.length);
    } else {
      this.#name = "";
    }
  }

  #sinkAfterReset(name: string, text: string, start: number, end: number): void {
    this.#reset();
    this.#sink.event(name, text, start, end);
  }

  #data(): string {
    const first = this.#text.slice(this.#start, this.#end);
    return this.#more.length === 0 ? first : `${first}\n${this.#more.join("\n")}`;
  }

  #reset(): void {
    this.#name = "";
    this.#text = "";
    this.#dataLines = 0;
    this.#bytes = 0;
    if (this.#more.length > 0) this.#more = [];
  }
}

const COLON = 0x3a;
const SPACE = 0x20;

/** Where the field's name ends: at the colon, or at the end of a line that has none. */
function fieldEnd(text: string, start: number, end: number): number {
  // Known names are short; a long line without a colon need not be searched to its end.
  const limit = Math.min(end, start + 6);
  for (let i = start; i < limit; i++) if (text.charCodeAt(i) === COLON) return i;
  return limit === end ? end : start;
}

/** Compares in place: this runs for every line. */
function isField(text: string, start: number, end: number, field: string): boolean {
  if (end - start !== field.length) return false;
  for (let i = 0; i < field.length; i++) if (text.charCodeAt(start + i) !== field.charCodeAt(i)) return false;
  return true;
}

/** After the colon and one space, both of which may be missing. */
function valueStart(text: string, fieldEndsAt: number, end: number): number {
  const start = Math.min(fieldEndsAt + 1, end);
  return start < end && text.charCodeAt(start) === SPACE ? start + 1 : start;
}
