/** What arrives at a provider, byte for byte. */
import { anthropic } from "@tsukumo/client/anthropic";
import { openai } from "@tsukumo/client/openai";
import { afterEach, describe, expect, it } from "vitest";
// By path: the package does not depend on it, and this folder is never published.
import {
  anthropicTurn,
  cut,
  errorReply,
  openaiChatTurn,
  ReplayServer,
  type ScriptedTurn,
  type Turn,
} from "../../testing/src/index.js";
import { Worker } from "../src/index.js";
import { tool } from "./tools.js";

const turns: readonly ScriptedTurn[] = [
  {
    text: "Looking.",
    toolCalls: [
      { id: "a1", name: "t", args: { n: 1 } },
      { id: "a2", name: "t" },
    ],
  },
  { text: "One." },
  { toolCalls: [{ id: "b1", name: "t", args: { n: 2 } }] },
  { text: "Two." },
  { text: "Three." },
];

const providers = {
  anthropic: {
    turn: (turn: ScriptedTurn): string => anthropicTurn(turn),
    client: (baseUrl: string) => anthropic({ baseUrl, apiKey: "k", model: "claude-test", retry: { attempts: 1 } }),
  },
  "openai-chat": {
    turn: (turn: ScriptedTurn): string => openaiChatTurn(turn),
    client: (baseUrl: string) => openai({ baseUrl, apiKey: "k", model: "gpt-test", retry: { attempts: 1 } }),
  },
};

let server: ReplayServer | undefined;
afterEach(() => server?.close());

async function serve(scheme: keyof typeof providers, replies: readonly Turn[]) {
  server = await ReplayServer.start({ scheme, turns: replies, chunkSize: 17 });
  return { server, client: providers[scheme].client(server.url) };
}

/** The part that a provider caches, without cache markers: everything up to the end of the last message. */
function cacheable(body: string): string {
  const { messages, system, tools }: Record<string, unknown> = JSON.parse(body, (key, value: unknown) =>
    key === "cache_control" ? undefined : value,
  );
  return JSON.stringify([system ?? null, tools ?? null, messages]).slice(0, -2);
}

describe.each(["anthropic", "openai-chat"] as const)("over %s", (scheme) => {
  const replies = turns.map(providers[scheme].turn);

  it("a locked worker repeats the bytes of every request before it, in a second process too", async () => {
    const { server, client } = await serve(scheme, replies);
    const tools = [tool("t", ({ n }) => `result ${n}`), tool("a", () => "")];
    const worker = Worker.create(client, { systemPrompt: "Be exact.", tools }).lock();
    await worker.run("first");
    await worker.run("second");
    const resumed = Worker.resume(client, JSON.parse(JSON.stringify(worker.snapshot())), { tools });
    expect((await resumed.run("third")).text).toBe("Three.");
    server.assertOk();
    const bodies = server.requests.map(({ body }) => cacheable(body));
    expect(bodies).toHaveLength(5);
    for (const [at, body] of bodies.entries()) {
      const next = bodies[at + 1];
      if (next !== undefined) expect(next.startsWith(body)).toBe(true);
    }
  });

  it.each<[string, (body: string) => Turn, string]>([
    ["an HTTP error", () => errorReply(400, "invalid_request_error", "no"), "ClientFailed"],
    ["a connection that breaks", (body) => cut(body), "StreamBroken"],
  ])("%s ends in a typed error with a history that can be sent again", async (_, fault, code) => {
    const [first = ""] = replies;
    const { client, server } = await serve(scheme, [fault(first), ...replies]);
    const worker = Worker.create(client, { maxContinuations: 0, tools: [tool("t", () => "ok")] });
    await expect(worker.run("precious")).rejects.toMatchObject({ code, cause: { name: "ClientError" } });
    expect(worker.history[0]).toMatchObject({ content: [{ text: "precious" }] });
    expect((await worker.resume()).text).toBe("One.");
    expect(server.active).toBe(0);
    expect(server.errors).toEqual([]);
  });

  it("an answer that breaks off is continued", async () => {
    const [first = "", second = ""] = replies;
    const { client } = await serve(scheme, [cut(first), first, second]);
    const worker = Worker.create(client, { tools: [tool("t", () => "ok")] });
    expect(await worker.run("go")).toMatchObject({ status: "finished", text: "One.", turns: 3 });
  });

  it("many workers at once do not disturb each other", async () => {
    const [first = "", second = ""] = replies;
    server = await ReplayServer.start({
      scheme,
      turns: ({ body }) => (body.includes("result") ? second : first),
    });
    const client = providers[scheme].client(server.url);
    const run = async (n: number): Promise<void> => {
      const worker = Worker.create(client, { tools: [tool("t", () => `result for ${n}`)] });
      expect(await worker.run("go")).toMatchObject({ status: "finished", text: "One.", turns: 2 });
      const outputs = worker.history.filter((item) => item.type === "function_call_output");
      expect(outputs.map(({ output }) => output)).toEqual([`result for ${n}`, `result for ${n}`]);
    };
    await Promise.all(Array.from({ length: 40 }, (_, n) => run(n)));
    server.assertOk();
    expect(server.active).toBe(0);
  });

  it("cancel() closes the connection", async () => {
    const { client, server } = await serve(scheme, [{ body: replies[0] ?? "", chunkSize: 40, delayMs: 5 }]);
    const worker = Worker.create(client);
    const stream = worker.stream("go");
    for await (const event of stream) if (event.type === "text_delta") break;
    await expect(stream.result).rejects.toMatchObject({ code: "Cancelled" });
    await expect.poll(() => server.active).toBe(0);
  });
});
