/** The wire format of Anthropic Messages. */
import type { Decoder, DecoderOptions, Scheme } from "../../scheme.js";
import { sseDecoder } from "../decoder.js";
import { newCallId } from "../id.js";
import { capability } from "./capability.js";
import { AnthropicParser } from "./parser.js";
import { encode } from "./request.js";

export const anthropicScheme: Scheme = {
  name: "anthropic",
  encode,
  decoder: (options?: DecoderOptions): Decoder => sseDecoder(new AnthropicParser(options?.newId ?? newCallId), options),
  capability,
};
