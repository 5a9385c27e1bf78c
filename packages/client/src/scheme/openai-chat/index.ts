/** The wire format of OpenAI Chat Completions, and of every server that is compatible with it. */
import type { Decoder, DecoderOptions, Scheme } from "../../scheme.js";
import { sseDecoder } from "../decoder.js";
import { newCallId } from "../id.js";
import { capability } from "./capability.js";
import { OpenAiChatParser } from "./parser.js";
import { encode } from "./request.js";

export const openAiChatScheme: Scheme = {
  name: "openai-chat",
  encode,
  decoder: (options?: DecoderOptions): Decoder =>
    sseDecoder(new OpenAiChatParser(options?.newId ?? newCallId), options),
  capability,
};
