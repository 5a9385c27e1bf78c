/** The key stays with the provider that it is for, and out of everything that is told. */
import { afterEach, describe, expect, test } from "vitest";
import { ClientError, type Event, type Request } from "../../client/src/index.js";
import { anthropic } from "../../client/src/provider/anthropic.js";
import { ReplayServer, type Turn } from "../src/index.js";

const KEY = "sk-very-secret-key";
const request: Request = {
  items: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] }],
  tools: [],
  config: {},
};
const servers: ReplayServer[] = [];

async function start(...turns: Turn[]): Promise<ReplayServer> {
  const server = await ReplayServer.start({ turns });
  servers.push(server);
  return server;
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function ask(
  baseUrl: string,
  apiKey: Parameters<typeof anthropic>[0]["apiKey"] = KEY,
  signal?: AbortSignal,
): Promise<{ events: Event[]; error: unknown }> {
  const events: Event[] = [];
  const llm = anthropic({ model: "m", apiKey, baseUrl, retry: { attempts: 1 } });
  try {
    for await (const batch of llm.stream(request, signal === undefined ? {} : { signal })) events.push(...batch);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

test.each([301, 302, 307, 308])("a redirect (%i) is refused, so that the key does not go along", async (status) => {
  const target = await start({ status: 200, body: "" });
  const server = await start({ status, headers: { location: target.url }, body: "" });
  const { error } = await ask(server.url);
  expect(error).toMatchObject({ code: "http", status, message: expect.stringContaining("redirect") });
  expect(target.requests).toEqual([]);
});

describe("a key that comes back in an answer is taken out", () => {
  test.each([
    ["a page that is no stream", `<html>no ${KEY} here</html>`],
    ["a page that is cut in the middle of it", `<html>${"x".repeat(182)}${KEY}`],
    ["an error inside the stream", `event: error\ndata: {"type":"error","error":{"type":"x","message":"${KEY}"}}\n\n`],
    ["an event that is not known", `event: debug\ndata: {"type":"debug","headers":{"x-api-key":"${KEY}"}}\n\n`],
    ["an error's code", `event: error\ndata: {"type":"error","error":{"type":"${KEY}","message":"x"}}\n\n`],
  ])("%s", async (_, body) => {
    const server = await start({ status: 200, body });
    const { events, error } = await ask(server.url);
    const told = JSON.stringify(events) + String(error) + JSON.stringify(error);
    expect(told).toContain("[secret]");
    expect(told).not.toContain(KEY.slice(0, 10));
  });

  test("providerCode of an error answer", async () => {
    const body = JSON.stringify({ error: { type: KEY, message: "no" } });
    const server = await start({ status: 400, body });
    const { error } = await ask(server.url);
    expect(error).toMatchObject({ code: "http", providerCode: "[secret]" });
  });
});

test("a key function that throws is a config error", async () => {
  const cause = new Error("vault is down");
  const { error } = await ask("http://127.0.0.1:9", () => Promise.reject(cause));
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({ code: "config", cause });
});

test("an abort does not wait for the key function", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 5);
  const { error } = await ask("http://127.0.0.1:9", () => new Promise<string>(() => undefined), controller.signal);
  expect(error).toMatchObject({ code: "aborted" });
});
