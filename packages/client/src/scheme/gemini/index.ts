/** The wire format of Google's Gemini API and of Gemini on Vertex AI. */
import type { Decoder, DecoderOptions, Scheme } from "../../scheme.js";
import { sseDecoder } from "../decoder.js";
import { newCallId } from "../id.js";
import { capability } from "./capability.js";
import { GeminiParser } from "./parser.js";
import { encode } from "./request.js";

export const geminiScheme: Scheme = {
  name: "gemini",
  encode,
  decoder: (options?: DecoderOptions): Decoder => sseDecoder(new GeminiParser(options?.newId ?? newCallId), options),
  capability,
};
