import { anthropic } from "@tsukumo/client/anthropic";
import { toolDefinitions } from "@tsukumo/tool";
import { Worker } from "@tsukumo/worker";
import { eventStream } from "./event-stream.js";
import { type KeyValueStore, Notebook } from "./notebook.js";

/** What the runtime gives the worker: variables, secrets and a KV namespace. */
export interface Env {
  readonly MODEL: string;
  readonly ANTHROPIC_API_KEY?: string;
  /** A gateway in the place of Anthropic's own address. */
  readonly ANTHROPIC_BASE_URL?: string;
  readonly NOTEBOOK: KeyValueStore;
}

/** One turn, as server-sent events. */
export function answer(prompt: string, env: Env, signal: AbortSignal): ReadableStream<Uint8Array> {
  const client = anthropic({
    model: env.MODEL,
    ...(env.ANTHROPIC_API_KEY ? { apiKey: env.ANTHROPIC_API_KEY } : {}),
    ...(env.ANTHROPIC_BASE_URL ? { baseUrl: env.ANTHROPIC_BASE_URL } : {}),
  });
  const worker = Worker.create(client, {
    systemPrompt: "You keep a notebook for the user. Look there before you say that you do not know. Be brief.",
    tools: toolDefinitions(new Notebook(env.NOTEBOOK)),
    config: { maxTokens: 1_000 },
    maxTurns: 8,
  });
  return eventStream(worker.stream(prompt, { signal }));
}
