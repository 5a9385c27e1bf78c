/** A wire format: how a Request becomes a body, and how bytes become Events. A scheme knows no provider. */
import type { ConfigWarning } from "./client.js";
import type { Event } from "./event.js";
import type { Request, RequestConfig } from "./request.js";

export interface Scheme {
  readonly name: string;
  /** The body as JSON text. Deterministic: the same history gives the same prefix of bytes. */
  encode(request: Request, options: EncodeOptions): string;
  decoder(options?: DecoderOptions): Decoder;
  /** Options of `config` that the wire format cannot carry, or that the model refuses. */
  capability(config: RequestConfig, model?: string): readonly ConfigWarning[];
}

export interface EncodeOptions {
  readonly model: string;
  /** Default true. */
  readonly stream?: boolean;
  /** Anthropic: ask for tool arguments as they are written, without waiting for valid JSON. Default false. */
  readonly eagerToolInput?: boolean;
  /** OpenAI chat: name the limit `max_tokens`, as older and compatible servers do. Default false. */
  readonly legacyMaxTokens?: boolean;
}

export interface DecoderOptions {
  /** The most bytes that one event may take; default 16 MiB. */
  readonly maxEventBytes?: number;
  /** Makes the id of a tool call that the provider sent without one; random by default. */
  readonly newId?: () => string;
  /** Reads everything with JSON.parse, without the fast way: tests compare the two. @internal */
  readonly reference?: boolean;
}

export interface Decoder {
  /**
   * Takes any split of the bytes, inside a UTF-8 character too; gives the events that are complete.
   * @throws {ClientError} `event_too_large`; `end()` then gives what was complete before, and closes what is open.
   */
  push(chunk: Uint8Array): Event[];
  /** The bytes are over: closes what is open. Further calls give nothing. */
  end(): Event[];
}
