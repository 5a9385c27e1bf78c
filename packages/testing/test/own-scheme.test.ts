/** A scheme that a user writes, as packages/client/docs/adding-a-scheme.md tells it. */
import { expect, test } from "vitest";
import { readEvents, sseScheme } from "../../client/src/event-stream.js";
import { ClientError, type Event, type Request } from "../../client/src/index.js";
import { compatible } from "../../client/src/provider/compatible.js";
import { cut, hang, ReplayServer, rateLimited, sse } from "../src/index.js";

const acme = sseScheme({
  name: "acme",
  encode: (request, { model }) => JSON.stringify({ model, prompt: request.items }),
  reader(response) {
    let text: number | undefined;
    return {
      message(name, data) {
        const message = JSON.parse(data);
        switch (name) {
          case "word":
            text ??= response.open({ type: "text" });
            response.delta(text, "text", message.word);
            break;
          case "end":
            if (text !== undefined) response.stop(text);
            response.usage({ inputTokens: message.in, outputTokens: message.out });
            response.stopReason("end_turn");
            response.complete();
            break;
          default:
            response.unhandled(name, data);
        }
      },
    };
  },
});

const STREAM =
  sse({ word: "Hello" }, "word") + sse({}, "wave") + sse({ word: "!" }, "word") + sse({ in: 3, out: 2 }, "end");
const request: Request = { items: [], tools: [], config: {} };

async function collect(url: string): Promise<Event[]> {
  const client = compatible({
    baseUrl: url,
    path: "talk",
    scheme: acme,
    model: "acme-1",
    apiKey: "k",
    retry: { baseDelayMs: 1 },
  });
  const events: Event[] = [];
  for await (const batch of client.stream(request)) events.push(...batch);
  return events;
}

test("a scheme of one's own, with the transport's retries", async () => {
  await using server = await ReplayServer.start({ turns: [rateLimited(0), STREAM], chunkSize: 5 });
  expect(await collect(server.url)).toEqual([
    { type: "status", status: "started" },
    { type: "block_start", index: 0, block: { type: "text" } },
    { type: "block_delta", index: 0, delta: { type: "text", text: "Hello" } },
    { type: "unhandled", name: "wave", data: "{}" },
    { type: "block_delta", index: 0, delta: { type: "text", text: "!" } },
    { type: "block_stop", index: 0, stopReason: "end_turn" },
    { type: "usage", usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } },
    { type: "status", status: "completed" },
  ]);
  expect(server.requests[1]).toMatchObject({ path: "/v1/talk", json: { model: "acme-1", prompt: [] } });
  server.assertOk();
});

test("its stream may break like any other", async () => {
  await using server = await ReplayServer.start({ turns: [cut(STREAM, STREAM.length - 10)] });
  await expect(collect(server.url)).rejects.toMatchObject({ code: "stream_broken" });
});

test("readEvents gives the events of any response", async () => {
  await using server = await ReplayServer.start({ turns: [`id: 7\n${STREAM}data: a\ndata: b\n\n`], chunkSize: 3 });
  const messages = [];
  for await (const message of readEvents(await fetch(server.url))) messages.push(message);
  expect(messages.map(({ name, data }) => [name, data])).toEqual([
    ["word", '{"word":"Hello"}'],
    ["wave", "{}"],
    ["word", '{"word":"!"}'],
    ["end", '{"in":3,"out":2}'],
    ["", "a\nb"],
  ]);
  expect(messages[0]?.id).toBe("7");
});

test("readEvents lets go of the connection when left, aborted, or too large", async () => {
  await using server = await ReplayServer.start({
    turns: [hang(STREAM), hang(STREAM), hang(`data: ${"x".repeat(5000)}`)],
  });
  for await (const _ of readEvents(await fetch(server.url))) break;
  const controller = new AbortController();
  const read = async () => {
    for await (const { name } of readEvents(await fetch(server.url), { signal: controller.signal }))
      if (name === "end") controller.abort();
  };
  await expect(read()).rejects.toMatchObject({ name: "AbortError" });
  const readLarge = async () => {
    for await (const _ of readEvents(await fetch(server.url), { maxEventBytes: 1000 })) break;
  };
  await expect(readLarge()).rejects.toThrow(ClientError);
  await expect.poll(() => server.active).toBe(0);
});
