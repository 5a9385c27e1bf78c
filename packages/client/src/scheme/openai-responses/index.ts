/** The wire format of OpenAI's Responses API, and of Open Responses servers. */
import type { Decoder, DecoderOptions, Scheme } from "../../scheme.js";
import { sseDecoder } from "../decoder.js";
import { newCallId } from "../id.js";
import { capability } from "./capability.js";
import { ResponsesParser } from "./parser.js";
import { encode } from "./request.js";

export const openAiResponsesScheme: Scheme = {
  name: "openai-responses",
  encode,
  decoder: (options?: DecoderOptions): Decoder => sseDecoder(new ResponsesParser(options?.newId ?? newCallId), options),
  capability,
};
