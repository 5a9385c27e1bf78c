/** A client without HTTP: it gives the event batches that a test wrote. */
import {
  ClientError,
  type ConfigWarning,
  type Event,
  type LlmClient,
  type Request,
  type RequestConfig,
  type StreamOptions,
} from "@tsukumo/client";

/** The batches of one answer, an error to throw, or a function of the request and its number from 0. */
export type ScriptedAnswer =
  | readonly (readonly Event[])[]
  | Error
  | ((
      request: Request,
      n: number,
      options: StreamOptions,
    ) => AsyncIterable<readonly Event[]> | Iterable<readonly Event[]>);

export interface ScriptedClient extends LlmClient {
  /** Every request so far, in order, with the items that it had when it came. */
  readonly requests: readonly Request[];
}

export interface ScriptedClientOptions {
  readonly provider?: string;
  readonly model?: string;
  readonly warnings?: readonly ConfigWarning[];
}

/** Batches and functions alike stop with a ClientError "aborted" when the caller's signal is aborted. */
export function scriptedClient(turns: readonly ScriptedAnswer[], options: ScriptedClientOptions = {}): ScriptedClient {
  const requests: Request[] = [];
  return {
    provider: options.provider ?? "scripted",
    model: options.model ?? "scripted-model",
    requests,
    validate: (_config: RequestConfig) => options.warnings ?? [],
    async *stream(request, streamOptions = {}) {
      const n = requests.push({ ...request, items: [...request.items] }) - 1;
      const turn = turns[n];
      if (turn === undefined)
        throw new Error(`scriptedClient: request ${n + 1} came, but only ${turns.length} turns are scripted.`);
      if (turn instanceof Error) throw turn;
      throwIfAborted(streamOptions.signal);
      for await (const batch of typeof turn === "function" ? turn(request, n, streamOptions) : turn) {
        if (batch.length > 0) yield batch;
        throwIfAborted(streamOptions.signal);
      }
    },
  };
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ClientError("aborted", "The request was aborted.", { cause: signal.reason });
}
