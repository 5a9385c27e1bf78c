/** Newline-delimited JSON: text to lines. Blank lines are skipped. */
import { DEFAULT_MAX_EVENT_BYTES, LineReader } from "./framing/lines.js";

export interface NdjsonSink {
  /** One line, as `text` from `start` to `end`. */
  line(text: string, start: number, end: number): void;
  /** Offers the text between two lines. Gives the position up to which the sink has read it by itself: whole lines only, or nothing. */
  shortcut?(text: string, position: number): number;
}

export class NdjsonFramer {
  readonly #sink: NdjsonSink;
  readonly #lines: LineReader;

  /** @throws {ClientError} from `push`, code `event_too_large`, when one line exceeds `maxEventBytes`. */
  constructor(sink: NdjsonSink, maxEventBytes = DEFAULT_MAX_EVENT_BYTES) {
    this.#sink = sink;
    this.#lines = new LineReader(
      {
        line: (text, start, end) => this.#line(text, start, end),
        shortcut: (text, position) => sink.shortcut?.(text, position) ?? position,
      },
      maxEventBytes,
    );
  }

  /** Takes any split of the text; `ascii` says that it has as many characters as it had bytes. */
  push(text: string, ascii: boolean): void {
    this.#lines.push(text, ascii);
  }

  /** The text is over. The last line may lack its line end; it is returned, because only its reader knows if it is whole. */
  end(): string | undefined {
    const rest = this.#lines.rest();
    return rest.trim() === "" ? undefined : rest;
  }

  #line(text: string, start: number, end: number): void {
    if (text.slice(start, end).trim() !== "") this.#sink.line(text, start, end);
  }
}
