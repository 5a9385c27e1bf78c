/** A wire format: how a Request becomes a body, and how bytes become Events. A scheme knows no provider. */
import type { ConfigWarning } from "./client.js";
import type { Event } from "./event.js";
import type { Request, RequestConfig } from "./request.js";

export interface Scheme {
  readonly name: string;
  /** The body as JSON text. Deterministic: the same history gives the same prefix of bytes. */
  encode(request: Request, options: EncodeOptions): string;
  decoder(options?: DecoderOptions): Decoder;
  /** Options of `config` that the wire format cannot carry. */
  capability(config: RequestConfig): readonly ConfigWarning[];
}

export interface EncodeOptions {
  readonly model: string;
  readonly stream?: boolean;
}

export interface DecoderOptions {
  /** The most bytes that one event may take; default 16 MiB. */
  readonly maxEventBytes?: number;
}

export interface Decoder {
  /** Takes any split of the bytes, inside a UTF-8 character too; gives the events that are complete. */
  push(chunk: Uint8Array): Event[];
  /** The bytes are over: closes what is open. Further calls give nothing. */
  end(): Event[];
}
