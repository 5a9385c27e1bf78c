/** Clients against a real HTTP server: retries, time-outs, broken connections, aborts. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ClientError, type Event, type LlmClient, type Request, type RetryNotice } from "../../client/src/index.js";
import { anthropic } from "../../client/src/provider/anthropic.js";
import { compatible } from "../../client/src/provider/compatible.js";
import { openai } from "../../client/src/provider/openai.js";
import {
  anthropicTurn,
  cut,
  drip,
  errorReply,
  hang,
  openaiChatTurn,
  type ReplayOptions,
  ReplayServer,
  rateLimited,
} from "../src/index.js";

const request: Request = {
  items: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] }],
  tools: [],
  config: {},
};
const KEY = "sk-very-secret-key";
const turn = {
  thinking: "Hm, let me think.",
  text: "Hello, 世界! How are you?",
  toolCalls: [{ id: "c1", name: "f", args: { a: 1 } }],
};

let server: ReplayServer;
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => rejections.push(reason);

async function start(turns: ReplayOptions["turns"], options: Partial<ReplayOptions> = {}): Promise<string> {
  server = await ReplayServer.start({ turns, ...options });
  return server.url;
}

beforeEach(() => {
  rejections.length = 0;
  process.on("unhandledRejection", onRejection);
});

afterEach(async () => {
  await vi.waitFor(() => expect(server.active, "answers left open").toBe(0));
  await server.close();
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", onRejection);
  expect(rejections).toEqual([]);
});

const fastRetry = { baseDelayMs: 1, maxDelayMs: 2 };

function client(baseUrl: string, options: { readonly [key: string]: unknown } = {}): LlmClient {
  return anthropic({ model: "m", apiKey: KEY, baseUrl, retry: fastRetry, ...options });
}

interface Outcome {
  readonly events: Event[];
  readonly batches: number;
  readonly error: unknown;
  readonly notices: RetryNotice[];
}

async function run(llm: LlmClient, signal?: AbortSignal, onBatch?: (events: Event[]) => void): Promise<Outcome> {
  const events: Event[] = [];
  const notices: RetryNotice[] = [];
  let batches = 0;
  try {
    const options = {
      onRetry: (notice: RetryNotice) => notices.push(notice),
      ...(signal === undefined ? {} : { signal }),
    };
    for await (const batch of llm.stream(request, options)) {
      expect(batch.length).toBeGreaterThan(0);
      batches++;
      events.push(...batch);
      onBatch?.(events);
    }
    return { events, batches, error: undefined, notices };
  } catch (error) {
    return { events, batches, error, notices };
  }
}

function textOf(events: readonly Event[]): string {
  return events
    .map((event) => (event.type === "block_delta" && event.delta.type === "text" ? event.delta.text : ""))
    .join("");
}

function last(events: readonly Event[]): Event | undefined {
  return events.at(-1);
}

describe("answers", () => {
  test.each([
    ["anthropic", (url: string) => client(url), anthropicTurn(turn)],
    ["openai", (url: string) => openai({ model: "m", apiKey: KEY, baseUrl: `${url}/v1/` }), openaiChatTurn(turn)],
    [
      "compatible",
      (url: string) => compatible({ scheme: "openai-chat", model: "m", baseUrl: url }),
      openaiChatTurn(turn),
    ],
  ])("%s reads a whole answer in every pace", async (_name, make, body) => {
    const url = await start([body, { body, chunkSize: 1 }, { body, chunkSize: 7 }]);
    const whole = await run(make(url));
    expect(whole.error).toBeUndefined();
    expect(textOf(whole.events)).toBe(turn.text);
    expect(last(whole.events)).toEqual({ type: "status", status: "completed" });
    expect((await run(make(url))).events).toEqual(whole.events);
    expect((await run(make(url))).events).toEqual(whole.events);
    server.assertOk();
  });

  test("sends key, version and body, and keeps the key out of the URL", async () => {
    const url = await start([anthropicTurn({ text: "x" })]);
    await run(client(url));
    const [sent] = server.requests;
    expect(sent?.path).toBe("/v1/messages");
    expect(sent?.headers["x-api-key"]).toBe(KEY);
    expect(sent?.headers["anthropic-version"]).toBe("2023-06-01");
    expect(sent?.json).toMatchObject({ model: "m", stream: true, messages: [{ role: "user" }] });
  });

  test("a batch is delivered while the rest is still on its way", async () => {
    const url = await start([{ body: anthropicTurn({ text: "abc" }), chunkSize: 200, delayMs: 20 }]);
    const { batches, events } = await run(client(url));
    expect(batches).toBeGreaterThan(2);
    expect(textOf(events)).toBe("abc");
  });
});

describe("retries", () => {
  test("429, then success, after as long as the provider asks", async () => {
    const url = await start([rateLimited(0), anthropicTurn({ text: "ok" })]);
    const { events, notices, error } = await run(client(url));
    expect(error).toBeUndefined();
    expect(textOf(events)).toBe("ok");
    expect(notices).toMatchObject([{ attempt: 1, delayMs: 0, cause: { code: "http", status: 429, retryAfterMs: 0 } }]);
  });

  test.each([408, 425, 500, 502, 503, 504, 529])("%i is worth another attempt", async (status) => {
    const url = await start([errorReply(status), anthropicTurn({ text: "ok" })]);
    expect(textOf((await run(client(url))).events)).toBe("ok");
  });

  test("gives up after the last attempt", async () => {
    const url = await start([
      errorReply(500),
      errorReply(500),
      errorReply(500),
      errorReply(503, "overloaded", "Busy."),
    ]);
    const { error, notices } = await run(client(url));
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ code: "http", status: 503, providerCode: "overloaded" });
    expect(notices).toHaveLength(3);
    server.assertOk();
  });

  test("a wait that the limit does not allow is not begun", async () => {
    const url = await start([rateLimited(3600)]);
    const { error } = await run(client(url));
    expect(error).toMatchObject({ status: 429, retryAfterMs: 3_600_000, providerCode: "rate_limit_error" });
  });

  test.each([400, 401, 403, 404, 413])("%i is not worth another attempt", async (status) => {
    const url = await start([errorReply(status, "some_error", `Bad key ${KEY}`)]);
    const { error, notices } = await run(client(url));
    expect(error).toMatchObject({ code: "http", status, providerCode: "some_error" });
    expect(String(error)).not.toContain(KEY);
    expect(notices).toEqual([]);
  });

  test.each([
    [
      "Gemini's array",
      JSON.stringify([{ error: { code: 404, message: "No such model", status: "NOT_FOUND" } }]),
      "NOT_FOUND",
      "No such model",
    ],
    [
      "OpenAI's code",
      JSON.stringify({ error: { message: "Bad key", type: "invalid_requesterror", code: "invalid_api_key" } }),
      "invalid_api_key",
      "Bad key",
    ],
    ["a string", JSON.stringify({ error: "model not found" }), undefined, "model not found"],
    ["text", "upstream connect error", undefined, "upstream connect error"],
    ["a detail", JSON.stringify({ detail: "Not Found" }), undefined, "Not Found"],
    ["nothing", "", undefined, "answered 404. Check the model"],
  ])("an error body: %s", async (_title, body, providerCode, message) => {
    const url = await start([{ status: 404, body }]);
    const { error } = await run(client(url));
    expect(error).toMatchObject({ code: "http", status: 404, message: expect.stringContaining(message) });
    expect(error instanceof ClientError && error.providerCode).toBe(providerCode);
  });

  test("connections that are refused or end without an event", async () => {
    const url = await start([
      { fault: { type: "refuse" } },
      { body: "" },
      cut(anthropicTurn({ text: "x" }), 20),
      anthropicTurn({ text: "ok" }),
    ]);
    const { events, notices } = await run(client(url));
    expect(textOf(events)).toBe("ok");
    expect(notices.map((notice) => notice.cause)).toMatchObject([
      { code: "connect" },
      { code: "connect" },
      { code: "connect" },
    ]);
  });

  test("can be turned off", async () => {
    const url = await start([errorReply(500)]);
    expect((await run(client(url, { retry: { attempts: 1 } }))).error).toMatchObject({ status: 500 });
  });

  test("nobody listens", async () => {
    const url = await start([]);
    await server.close();
    const { error } = await run(client(url, { retry: { attempts: 2, baseDelayMs: 1 } }));
    expect(error).toMatchObject({ code: "connect" });
    expect(String(error)).toContain("ECONNREFUSED");
  });
});

describe("time-outs", () => {
  test("no status line", async () => {
    const url = await start([{ fault: { type: "silence" } }, anthropicTurn({ text: "ok" })]);
    const { events, notices } = await run(client(url, { openTimeoutMs: 40 }));
    expect(textOf(events)).toBe("ok");
    expect(notices).toMatchObject([{ cause: { code: "timeout" } }]);
  });

  test("no first event", async () => {
    const url = await start([hang(anthropicTurn({ text: "x" }), 30)]);
    const { error } = await run(client(url, { firstEventTimeoutMs: 40, retry: { attempts: 1 } }));
    expect(error).toMatchObject({ code: "timeout" });
  });

  test("an error whose body never ends is told by its status, with what came of the body", async () => {
    const url = await start([{ ...hang(JSON.stringify({ error: { message: "no such model" } })), status: 404 }]);
    const { error } = await run(client(url, { openTimeoutMs: 500 }));
    expect(error).toMatchObject({ code: "http", status: 404, message: expect.stringContaining("no such model") });
  });

  test("none after the first event", async () => {
    const url = await start([{ body: anthropicTurn({ text: "abc" }), chunkSize: 400, delayMs: 60 }]);
    const { error, events } = await run(client(url, { firstEventTimeoutMs: 50, openTimeoutMs: 50 }));
    expect(error).toBeUndefined();
    expect(textOf(events)).toBe("abc");
  });

  test("a slow drip is read to its end", async () => {
    const url = await start([drip(openaiChatTurn({ text: "ab" }), 0)]);
    const { events } = await run(openai({ model: "m", baseUrl: url, apiKey: KEY }));
    expect(textOf(events)).toBe("ab");
  });
});

describe("pings before the first event", () => {
  const PING = "event: ping\ndata: {}\n\n";

  test("a connection that broke after them alone is made again", async () => {
    const url = await start([
      { status: 200, body: PING.repeat(3) },
      cut(PING.repeat(4)),
      anthropicTurn({ text: "ok" }),
    ]);
    const { events, notices, error } = await run(client(url));
    expect(error).toBeUndefined();
    expect(notices).toMatchObject([{ cause: { code: "connect" } }, { cause: { code: "connect" } }]);
    expect(events.filter(({ type }) => type === "status")).toEqual([
      { type: "status", status: "started" },
      { type: "status", status: "completed" },
    ]);
    expect(textOf(events)).toBe("ok");
  });

  test("each gives the server the time again, and silence after them still ends the wait", async () => {
    const comment = `: ${"x".repeat(400)}\n\n`;
    const slow = { body: comment.repeat(8) + anthropicTurn({ text: "ok" }), chunkSize: comment.length, delayMs: 30 };
    const url = await start([slow, hang(PING)]);
    const patient = client(url, { firstEventTimeoutMs: 120, retry: { attempts: 1 } });
    expect(textOf((await run(patient)).events)).toBe("ok");
    expect((await run(patient)).error).toMatchObject({ code: "timeout" });
  });
});

describe("broken in the middle", () => {
  test.each([
    ["anthropic", (url: string) => client(url), anthropicTurn(turn)],
    ["openai", (url: string) => openai({ model: "m", apiKey: KEY, baseUrl: url }), openaiChatTurn(turn)],
  ])("%s: open blocks are aborted, then the error is thrown", async (_name, make, body) => {
    const url = await start([{ ...cut(body, body.indexOf("Hello") + 40), chunkSize: 64, delayMs: 1 }]);
    const { events, error, notices } = await run(make(url));
    expect(error).toMatchObject({ code: "stream_broken" });
    expect(notices).toEqual([]);
    expect(events.some((event) => event.type === "block_abort")).toBe(true);
    expect(last(events)).toEqual({ type: "status", status: "failed" });
  });

  test("an answer that ends politely but early is broken too", async () => {
    const body = anthropicTurn(turn);
    const url = await start([body.slice(0, body.length / 2)]);
    const { events, error } = await run(client(url));
    expect(error).toMatchObject({ code: "stream_broken" });
    expect(last(events)).toEqual({ type: "status", status: "failed" });
  });

  test("an error that the provider told is an event, not an exception", async () => {
    const told = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const url = await start([anthropicTurn({ text: "ab" }).split("event: content_block_stop")[0] + told]);
    const { events, error } = await run(client(url));
    expect(error).toBeUndefined();
    expect(events.slice(-4)).toMatchObject([
      { type: "error", code: "overloaded_error", message: "Overloaded" },
      { type: "block_abort", index: 0 },
      { type: "usage" },
      { type: "status", status: "failed" },
    ]);
  });

  test("an event beyond the bound", async () => {
    const url = await start([anthropicTurn({ text: "x".repeat(2000), deltaSize: 1000 })]);
    const { events, error } = await run(client(url, { maxEventBytes: 700 }));
    expect(error).toMatchObject({ code: "event_too_large" });
    expect(last(events)).toEqual({ type: "status", status: "failed" });
  });
});

describe("abort", () => {
  test("before the request", async () => {
    const url = await start([]);
    const { error } = await run(client(url), AbortSignal.abort("no"));
    expect(error).toMatchObject({ code: "aborted" });
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    ["while it opens", { fault: { type: "silence" } as const }],
    ["before the first event", hang(anthropicTurn(turn), 20)],
  ])("%s", async (_phase, reply) => {
    const url = await start([reply]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 40);
    const { error, notices } = await run(client(url), controller.signal);
    expect(error).toMatchObject({ code: "aborted" });
    expect(notices).toEqual([]);
  });

  test("between attempts", async () => {
    const url = await start([rateLimited(10)]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 40);
    const { error, notices } = await run(client(url), controller.signal);
    expect(error).toMatchObject({ code: "aborted" });
    expect(notices).toHaveLength(1);
  });

  test("in the middle: what is open is told as aborted, the response as cancelled", async () => {
    const body = anthropicTurn(turn);
    const url = await start([hang(body, body.indexOf("text_delta") + 200)]);
    const controller = new AbortController();
    const { events, error } = await run(client(url), controller.signal, (seen) => {
      if (textOf(seen) !== "") controller.abort();
    });
    expect(error).toMatchObject({ code: "aborted" });
    expect(events.slice(-3)).toMatchObject([
      { type: "block_abort", reason: "aborted" },
      { type: "usage" },
      { type: "status", status: "cancelled" },
    ]);
  });

  test("leaving the iteration closes the connection", async () => {
    const url = await start([hang(anthropicTurn(turn), 600)]);
    for await (const _batch of client(url).stream(request)) break;
    await vi.waitFor(() => expect(server.active).toBe(0));
  });

  test("the signal keeps no listener", async () => {
    const url = await start([anthropicTurn({ text: "x" })]);
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, "removeEventListener");
    const add = vi.spyOn(signal, "addEventListener");
    await run(client(url), signal);
    expect(remove.mock.calls.length).toBeGreaterThanOrEqual(add.mock.calls.length);
  });
});

describe("keys", () => {
  test("a key that HTTP cannot carry is told without the key", async () => {
    const url = await start([]);
    const { error } = await run(client(url, { apiKey: `${KEY}\n${KEY}` }));
    expect(error).toMatchObject({ code: "config" });
    expect(String(error)).not.toContain(KEY);
  });

  test("a fetch that quotes the key", async () => {
    const url = await start([]);
    const fetch = () => Promise.reject(new TypeError(`bad header x-api-key: ${KEY}`, { cause: new Error(KEY) }));
    const { error } = await run(client(url, { fetch, retry: { attempts: 1 } }));
    expect(error).toBeInstanceOf(ClientError);
    expect(String(error)).not.toContain(KEY);
    expect(error instanceof Error && error.cause).toBeUndefined();
  });

  test("headers of the caller's own win, whatever their case, and are kept secret too", async () => {
    const url = await start([{ status: 401, body: "bad token tok-77777" }]);
    const { error } = await run(
      openai({ model: "m", apiKey: KEY, baseUrl: url, headers: { Authorization: "Bearer tok-77777" } }),
    );
    expect(server.requests[0]?.headers.authorization).toBe("Bearer tok-77777");
    expect(String(error)).not.toContain("tok-77777");
  });

  test.each([
    ["openTimeoutMs", 2 ** 31],
    ["firstEventTimeoutMs", 2 ** 40],
  ])("%s %d does not fire at once", async (option, ms) => {
    const url = await start([anthropicTurn(turn)]);
    const slow: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const late = new TransformStream<Uint8Array, Uint8Array>({
        start: () => new Promise((resolve) => setTimeout(resolve, 20)),
      });
      return new Response(response.body?.pipeThrough(late), response);
    };
    const { error } = await run(client(url, { fetch: slow, retry: { attempts: 1 }, [option]: ms }));
    expect(error).toBeUndefined();
  });

  test("a missing key names the variable", async () => {
    const url = await start([]);
    vi.stubEnv("ANTHROPIC_API_KEY", "");
    vi.stubEnv("ANTHROPIC_BASE_URL", "");
    const { error } = await run(anthropic({ model: "m" }));
    vi.unstubAllEnvs();
    expect(error).toMatchObject({ code: "config", message: expect.stringContaining("ANTHROPIC_API_KEY") });
    expect(url).toContain("127.0.0.1");
  });

  test("strict mode refuses what the provider would ignore", async () => {
    const url = await start([]);
    const llm = openai({ model: "m", baseUrl: url, strict: true });
    const iterate = async () => {
      for await (const _batch of llm.stream({ ...request, config: { topK: 3 } })) break;
    };
    await expect(iterate()).rejects.toMatchObject({ code: "config", message: expect.stringContaining("topK") });
    expect(llm.validate({ topK: 3 })).toMatchObject([{ option: "topK" }]);
  });
});

describe("an iteration by hand", () => {
  test("calls that do not wait for the one before get their batches in order, and the end after them", async () => {
    const url = await start([{ body: anthropicTurn(turn), chunkSize: 64 }]);
    const iterator = client(url).stream(request)[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 80 }, () => iterator.next()));
    const events = results.flatMap(({ value }) => value ?? []);
    expect(textOf(events)).toBe(turn.text);
    expect(last(events)).toEqual({ type: "status", status: "completed" });
    expect(results.at(-1)).toEqual({ done: true, value: undefined });
  });

  test("leaving while a call waits ends that call and closes the connection", async () => {
    const body = anthropicTurn(turn);
    const url = await start([hang(body, body.indexOf("text_delta") + 200)]);
    const iterator = client(url).stream(request)[Symbol.asyncIterator]();
    let batch = await iterator.next();
    while (!JSON.stringify(batch).includes("Hello")) batch = await iterator.next();
    const waiting = iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("an error is thrown once, after the last batch; then it is over", async () => {
    const url = await start([cut(anthropicTurn(turn))]);
    const iterator = client(url).stream(request)[Symbol.asyncIterator]();
    const failure = (async () => {
      for (;;) if ((await iterator.next()).done) return undefined;
    })();
    await expect(failure).rejects.toMatchObject({ code: "stream_broken" });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("leaving before the first call sends nothing", async () => {
    const url = await start([anthropicTurn(turn)]);
    const iterator = client(url).stream(request)[Symbol.asyncIterator]();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(server.requests).toEqual([]);
  });
});
