/**
 * Gemini's generateContent stream to Events.
 * @see https://ai.google.dev/api/generate-content
 */
import type { JsonObject } from "../../json.js";
import { asArray, asNumber, asObject, asText, parseObject } from "../../json-readers.js";
import type { Lesson, WireParser } from "../parser.js";
import { ResponseWriter } from "../response-writer.js";
import { GeminiContent } from "./content.js";
import { stopReason, usageOf } from "./terminal.js";

export interface GeminiTag {
  readonly kind: "text" | "thinking";
  /** The line has counts. */
  readonly counts: boolean;
}

export class GeminiParser implements WireParser<GeminiTag> {
  readonly response = new ResponseWriter();
  readonly #content: GeminiContent;
  /** There is no last event: the reason is known when the bytes are over. */
  #finishReason: string | undefined;
  #blocked = false;
  /** The last line that was read by a template: its counts replace those before. */
  #countsLine: string | undefined;

  constructor(newId: () => string) {
    this.#content = new GeminiContent(this.response, newId);
  }

  message(name: string, data: string): Lesson<GeminiTag> | undefined {
    this.#readCounts();
    const chunk = parseObject(data);
    if (chunk === undefined) {
      if (data.trimStart().startsWith("{")) this.#fail("The provider sent an event that is not JSON.", "parse_error");
      else this.response.unhandled(name, data);
      return undefined;
    }
    if (this.response.ended) {
      this.response.unhandled(name, data);
      return undefined;
    }
    const error = asObject(chunk.error);
    if (error !== undefined) {
      this.#fail(asText(error.message) ?? "The provider reported an error without a message.", asText(error.status));
      return undefined;
    }
    return this.#chunk(name, chunk, data);
  }

  repeat(tag: GeminiTag, text: string, line: string, start: number, end: number): void {
    if (this.response.ended) {
      this.message("", line.slice(start, end));
      return;
    }
    if (tag.counts) this.#countsLine = line.slice(start, end);
    this.#content.say(tag.kind, text);
  }

  end(failure?: string): void {
    this.#readCounts();
    if (failure === undefined && (this.#finishReason !== undefined || this.#blocked)) {
      this.#content.close();
      this.response.stopReason(
        this.#blocked ? "content_filter" : stopReason(this.#finishReason ?? "", this.#content.called),
      );
      this.response.complete();
    } else {
      this.response.fail(failure ?? "stream_ended");
    }
  }

  #fail(message: string, code: string | undefined): void {
    this.response.error(message, code);
  }

  #readCounts(): void {
    const line = this.#countsLine;
    if (line === undefined) return;
    this.#countsLine = undefined;
    const usage = asObject(parseObject(line)?.usageMetadata);
    if (usage !== undefined) this.response.usage(usageOf(usage));
  }

  #chunk(name: string, chunk: JsonObject, data: string): Lesson<GeminiTag> | undefined {
    const candidates = asArray(chunk.candidates) ?? [];
    const usage = asObject(chunk.usageMetadata);
    const feedback = asObject(chunk.promptFeedback);
    if (candidates.length === 0 && usage === undefined && feedback === undefined) {
      this.response.unhandled(name, data);
      return undefined;
    }
    this.response.start();
    if (usage !== undefined) this.response.usage(usageOf(usage));
    if (asText(feedback?.blockReason) !== undefined) this.#blocked = true;
    for (const value of candidates) {
      const candidate = asObject(value);
      // An Event has no place for a second candidate.
      if (candidate === undefined || (asNumber(candidate.index) ?? 0) !== 0)
        this.response.unhandled("other_candidate", data);
      else this.#candidate(candidate, data);
    }
    return lessonOf(candidates.length, asObject(candidates[0]), usage !== undefined);
  }

  #candidate(candidate: JsonObject, data: string): void {
    for (const value of asArray(asObject(candidate.content)?.parts) ?? []) {
      const part = asObject(value);
      if (part === undefined || !this.#content.part(part)) this.response.unhandled("part", data);
    }
    this.#finishReason = asText(candidate.finishReason) ?? this.#finishReason;
  }
}

/** One plain piece of text and nothing else. */
function lessonOf(
  candidates: number,
  candidate: JsonObject | undefined,
  counts: boolean,
): Lesson<GeminiTag> | undefined {
  const parts = asArray(asObject(candidate?.content)?.parts) ?? [];
  const part = asObject(parts[0]);
  const text = asText(part?.text);
  if (candidates !== 1 || parts.length !== 1 || part === undefined || text === undefined) return undefined;
  if (part.thoughtSignature !== undefined || asText(candidate?.finishReason) !== undefined) return undefined;
  if ((asNumber(candidate?.index) ?? 0) !== 0) return undefined;
  return { tag: { kind: part.thought === true ? "thinking" : "text", counts }, text, shape: SHAPE };
}

/** The counts of the prompt and the ids stay the same in nearly every answer. */
const SHAPE = {
  text: "candidates.0.content.parts.0.text",
  ignored: ["usageMetadata.candidatesTokenCount", "usageMetadata.totalTokenCount", "usageMetadata.thoughtsTokenCount"],
  loose: ["usageMetadata.", "responseId", "modelVersion", "createTime"],
} as const;
