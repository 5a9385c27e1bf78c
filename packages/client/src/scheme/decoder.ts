/** Bytes to events: framing, the scheme's parser, and what a body that is no stream means. */
import { ClientError } from "../error.js";
import type { Event } from "../event.js";
import { DEFAULT_MAX_EVENT_BYTES, tooLarge } from "../framing/lines.js";
import { Utf8Stream } from "../framing/utf8.js";
import { parseObject } from "../json-readers.js";
import { NdjsonFramer } from "../ndjson.js";
import type { Decoder, DecoderOptions } from "../scheme.js";
import { SseFramer } from "../sse.js";
import { type BodyKind, bodyKind, documents, streamIn } from "./body.js";
import { FastReader, type Framing, NDJSON_FRAMING, SSE_FRAMING, type WireParser } from "./parser.js";

export function sseDecoder<Tag>(parser: WireParser<Tag>, options: DecoderOptions = {}): Decoder {
  return new StreamDecoder(parser, options, SSE_FRAMING, (reader, maxEventBytes) => {
    const framer = new SseFramer(
      {
        event: (name, text, start, end) => reader.read(name, text, start, end),
        shortcut: (text, position) => reader.shortcut(text, position),
        comment: () => parser.response.ping(),
      },
      maxEventBytes,
    );
    return { push: (text, ascii) => framer.push(text, ascii), end: () => framer.end() };
  });
}

export function ndjsonDecoder<Tag>(parser: WireParser<Tag>, options: DecoderOptions = {}): Decoder {
  return new StreamDecoder(parser, options, NDJSON_FRAMING, (reader, maxEventBytes) => {
    const framer = new NdjsonFramer(
      {
        line: (text, start, end) => reader.read("", text, start, end),
        shortcut: (text, position) => reader.shortcut(text, position),
      },
      maxEventBytes,
    );
    const end = () => {
      const data = framer.end();
      return data === undefined ? undefined : { name: "", data };
    };
    return { push: (text, ascii) => framer.push(text, ascii), end, linesAreJson: true };
  });
}

interface Framer {
  push(text: string, ascii: boolean): void;
  end(): { readonly name: string; readonly data: string } | undefined;
  readonly linesAreJson?: boolean;
}

/** How much of a body that is no stream goes into the message. */
const SHOWN_CHARACTERS = 200;

class StreamDecoder<Tag> implements Decoder {
  readonly #parser: WireParser<Tag>;
  readonly #maxEventBytes: number;
  readonly #utf8 = new Utf8Stream();
  readonly #reader: FastReader<Tag>;
  readonly #framer: Framer;
  #mode: BodyKind = "unknown";
  /** The text before the mode is known, then the body. */
  #body: string[] = [];
  #bodyBytes = 0;
  #head = "";
  #failure: ClientError | undefined;
  #over = false;

  constructor(
    parser: WireParser<Tag>,
    options: DecoderOptions,
    framing: Framing,
    makeFramer: (reader: FastReader<Tag>, maxEventBytes: number) => Framer,
  ) {
    this.#parser = parser;
    this.#maxEventBytes = options.maxEventBytes ?? DEFAULT_MAX_EVENT_BYTES;
    this.#reader = new FastReader(parser, framing, options.reference !== true);
    this.#framer = makeFramer(this.#reader, this.#maxEventBytes);
  }

  push(chunk: Uint8Array): Event[] {
    if (this.#over) return [];
    if (this.#failure !== undefined) throw this.#failure;
    try {
      this.#take(this.#utf8.push(chunk), this.#utf8.ascii, chunk.length);
    } catch (error) {
      // What was complete before the failure is given by end().
      if (error instanceof ClientError) this.#failure = error;
      throw error;
    }
    return this.#parser.response.take();
  }

  end(): Event[] {
    if (this.#over) return [];
    this.#over = true;
    const response = this.#parser.response;
    if (this.#failure === undefined) this.#tryToFinish();
    if (!response.ended) this.#parser.end(this.#failure?.code);
    return response.take();
  }

  #take(text: string, ascii: boolean, bytes: number): void {
    if (this.#mode === "stream") {
      if (this.#head.length < SHOWN_CHARACTERS) this.#head += text.slice(0, SHOWN_CHARACTERS - this.#head.length);
      this.#framer.push(text, ascii);
      return;
    }
    // Blank lines before the start mean nothing; some gateways send them until the answer is ready.
    const begun = this.#body.length > 0 ? text : text.trimStart();
    if (begun === "") return;
    this.#body.push(begun);
    this.#bodyBytes += bytes;
    if (this.#mode === "unknown") {
      const lead = this.#body.join("");
      this.#mode = this.#framer.linesAreJson === true ? "stream" : bodyKind(lead);
      if (this.#mode === "stream") {
        this.#body = [];
        this.#take(lead, false, 0);
        return;
      }
    }
    if (this.#bodyBytes > this.#maxEventBytes) throw tooLarge(this.#maxEventBytes);
  }

  #tryToFinish(): void {
    try {
      this.#finish();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      this.#failure = error;
    }
  }

  #finish(): void {
    const tail = this.#utf8.end();
    if (tail !== "") this.#take(tail, false, tail.length);
    if (this.#mode !== "stream") this.#readBody(this.#body.join(""));
    const rest = this.#framer.end();
    // Some servers leave the last line end out; a message that was cut is not whole and is dropped.
    if (rest !== undefined && (rest.data.trim() === "[DONE]" || parseObject(rest.data) !== undefined)) {
      this.#reader.read(rest.name, rest.data, 0, rest.data.length);
    }
    if (!this.#parser.response.ended && !this.#parser.response.begun && this.#head.trim() !== "")
      this.#notAStream(this.#head);
  }

  #readBody(body: string): void {
    const response = this.#parser.response;
    const found = documents(body);
    for (const document of found) if (!response.ended) this.#parser.message("", document);
    this.#head = body.slice(0, SHOWN_CHARACTERS);
    if (found.length === 0) this.#framer.push(streamIn(body), false);
  }

  #notAStream(text: string): void {
    const shown = text.trim();
    this.#parser.response.error(`The answer is not a stream of this scheme. It begins with: ${shown}`, "not_a_stream");
  }
}
