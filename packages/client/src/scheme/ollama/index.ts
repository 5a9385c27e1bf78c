/** The wire format of Ollama's own API: newline-delimited JSON. */
import type { Decoder, DecoderOptions, Scheme } from "../../scheme.js";
import { ndjsonDecoder } from "../decoder.js";
import { newCallId } from "../id.js";
import { capability } from "./capability.js";
import { OllamaParser } from "./parser.js";
import { encode } from "./request.js";

export const ollamaScheme: Scheme = {
  name: "ollama",
  encode,
  decoder: (options?: DecoderOptions): Decoder => ndjsonDecoder(new OllamaParser(options?.newId ?? newCallId), options),
  capability,
};
