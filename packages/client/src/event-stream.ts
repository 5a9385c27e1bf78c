/**
 * For wire formats of your own: a reader of any event stream, and schemes in a few lines.
 * docs/adding-a-scheme.md shows both. The schemes of this package use their own framing, which is faster.
 */
import { events } from "fetch-event-stream";
import type { ConfigWarning } from "./client.js";
import { DEFAULT_MAX_EVENT_BYTES, tooLarge } from "./framing/lines.js";
import type { Request, RequestConfig } from "./request.js";
import { sseDecoder } from "./scheme/decoder.js";
import { newCallId } from "./scheme/id.js";
import { ResponseWriter } from "./scheme/response-writer.js";
import type { DecoderOptions, EncodeOptions, Scheme } from "./scheme.js";

export { ResponseWriter };

export interface EventMessage {
  /** `""` where the stream names none. */
  readonly name: string;
  readonly data: string;
  readonly id?: string;
}

export interface ReadEventsOptions {
  readonly signal?: AbortSignal;
  /** The most bytes that one line may take; default 16 MiB. */
  readonly maxEventBytes?: number;
}

/**
 * The events of a response, one by one. Leaving the iteration early closes the connection.
 * @throws {ClientError} `event_too_large`; otherwise what reading the body throws.
 */
export async function* readEvents(
  response: Response,
  options: ReadEventsOptions = {},
): AsyncGenerator<EventMessage, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const onAbort = () => void reader.cancel(options.signal?.reason).catch(() => undefined);
  options.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const bounded = boundedLines(reader, options.maxEventBytes ?? DEFAULT_MAX_EVENT_BYTES);
    for await (const { event, data, id } of events(new Response(bounded), options.signal)) {
      options.signal?.throwIfAborted();
      if (data !== undefined) yield { name: event ?? "", data, ...(id === undefined ? {} : { id: String(id) }) };
    }
    options.signal?.throwIfAborted();
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
    await reader.cancel().catch(() => undefined);
  }
}

/** fetch-event-stream keeps a line of any length, so the bytes are watched on their way in. */
function boundedLines(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let lineBytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        const end = value.lastIndexOf(LF);
        lineBytes = end === -1 ? lineBytes + value.length : value.length - end - 1;
        if (lineBytes > maxBytes) controller.error(tooLarge(maxBytes));
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

const LF = 0x0a;

/** Reads the events of one response and writes what they mean. */
export interface MessageReader {
  message(name: string, data: string): void;
  /** The bytes are over and the response has not ended. Without this it fails. */
  end?(): void;
}

export interface SseSchemeDefinition {
  readonly name: string;
  encode(request: Request, options: EncodeOptions): string;
  /** `newId` makes ids for calls that came without one. */
  reader(response: ResponseWriter, newId: () => string): MessageReader;
  capability?(config: RequestConfig, model?: string): readonly ConfigWarning[];
}

/** A scheme over event streams. Give it to `compatible({ scheme, path, … })`, or read bytes with its `decoder()`. */
export function sseScheme(definition: SseSchemeDefinition): Scheme {
  return {
    name: definition.name,
    encode: (request, options) => definition.encode(request, options),
    capability: (config, model) => definition.capability?.(config, model) ?? [],
    decoder(options: DecoderOptions = {}) {
      const response = new ResponseWriter();
      const reader = definition.reader(response, options.newId ?? newCallId);
      return sseDecoder<never>(
        {
          response,
          message(name, data) {
            if (response.ended) response.unhandled(name, data);
            else reader.message(name, data);
            return undefined;
          },
          repeat: () => undefined,
          end(failure) {
            if (failure === undefined) reader.end?.();
            response.fail(failure ?? "stream_ended");
          },
        },
        options,
      );
    },
  };
}
