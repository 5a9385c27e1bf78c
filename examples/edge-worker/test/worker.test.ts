/** The bundle in workerd, the runtime of Cloudflare Workers, against a scripted model over HTTP. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { anthropicTurn, errorReply, ReplayServer, type Turn } from "@tsukumo/testing";
import { Miniflare } from "miniflare";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { build, Child, folderOf } from "../../child.js";

const EXAMPLE = "edge-worker";
const BUNDLE = join(folderOf(EXAMPLE), "dist/worker.js");
const MAX_GZIP_BYTES = 50_000;

const closing: (() => unknown)[] = [];

beforeAll(() => build(EXAMPLE));
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(turns: readonly Turn[]) {
  const model = await ReplayServer.start({ scheme: "anthropic", turns, chunkSize: 40 });
  closing.push(() => model.close());
  const miniflare = new Miniflare({
    modules: true,
    scriptPath: BUNDLE,
    compatibilityDate: "2026-04-01",
    compatibilityFlags: ["enable_request_signal"],
    kvNamespaces: ["NOTEBOOK"],
    // What the worker logs is not the test's.
    handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
      stdout.resume();
      stderr.resume();
    },
    bindings: { MODEL: "claude-test", ANTHROPIC_API_KEY: "secret", ANTHROPIC_BASE_URL: model.url },
  });
  closing.push(() => miniflare.dispose());
  // A connection of its own, so that the test reads what goes over the wire, as it comes.
  const url = await miniflare.ready;
  const ask = (body: string, signal?: AbortSignal) =>
    fetch(url, { method: "POST", body, ...(signal === undefined ? {} : { signal }) });
  return { model, url, ask };
}

function prompt(text: string): string {
  return JSON.stringify({ prompt: text });
}

function eventsOf(stream: string): [string, unknown][] {
  return [...stream.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name = "", data = ""]) => [
    name,
    JSON.parse(data),
  ]);
}

describe("the bundle", () => {
  it("needs nothing of Node, and is small", () => {
    const code = readFileSync(BUNDLE);
    expect(code.toString()).not.toMatch(/\b(?:import|require|from)\b\s*\(?\s*["'](?!\.)/);
    expect(code.toString()).not.toContain("node:");
    const gzip = gzipSync(code).length;
    console.log(`edge-worker: ${code.length} bytes, ${gzip} with gzip`);
    expect(gzip).toBeLessThan(MAX_GZIP_BYTES);
  });
});

describe("in workerd", () => {
  it("streams a turn with tools that use a binding", async () => {
    const { model, ask } = await start([
      anthropicTurn({
        text: "I keep that.",
        toolCalls: [
          { id: "call_1", name: "remember", args: { key: "colour", text: "indigo" } },
          { id: "call_2", name: "recall", args: { key: "age" } },
        ],
      }),
      anthropicTurn({ text: "Your colour is indigo." }),
      anthropicTurn({ toolCalls: [{ id: "call_3", name: "recall", args: { key: "colour" } }] }),
      anthropicTurn({ text: "It is indigo." }),
    ]);
    const response = await ask(prompt("My favourite colour is indigo."));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = eventsOf(await response.text());
    const text = events.filter(([name]) => name === "text").map(([, data]) => data);
    expect(text.join("")).toBe("I keep that.Your colour is indigo.");
    expect(events.filter(([name]) => name !== "text")).toEqual([
      ["tool", { name: "remember", arguments: '{"key":"colour","text":"indigo"}' }],
      ["tool", { name: "recall", arguments: '{"key":"age"}' }],
      ["result", { name: "remember", isError: false }],
      ["result", { name: "recall", isError: false }],
      ["done", expect.objectContaining({ status: "finished" })],
    ]);
    expect(model.requests[0]?.headers["x-api-key"]).toBe("secret");
    expect(model.requests[1]?.body).toContain("Nothing is kept under age.");

    const second = eventsOf(await (await ask(prompt("What is my favourite colour?"))).text());
    expect(second).toContainEqual(["result", { name: "recall", isError: false }]);
    expect(second.at(-1)).toEqual(["done", expect.objectContaining({ status: "finished" })]);
    expect(model.requests[3]?.body).toContain("indigo");
    model.assertOk();
  });

  it("sends what there is before the answer ends, and lets go of the model when the client does", async () => {
    const long = { body: anthropicTurn({ text: "On and on. ".repeat(20_000) }), chunkSize: 200, delayMs: 5 };
    const { model, ask } = await start([long]);
    const leave = new AbortController();
    const response = await ask(prompt("Begin"), leave.signal);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain("event: text");
    expect(model.active).toBe(1);
    leave.abort();
    await expect.poll(() => model.active, { timeout: 10_000 }).toBe(0);
  });

  it("tells a failure without its details", async () => {
    const { ask } = await start([errorReply(401, "authentication_error", "invalid x-api-key of account 7")]);
    const events = eventsOf(await (await ask(prompt("Hello"))).text());
    expect(events).toEqual([["error", "The answer failed. Try again."]]);
  });

  it.each([
    ["not JSON", 400],
    ["{}", 400],
    ['{"prompt":""}', 400],
    ['{"prompt":5}', 400],
    [prompt("x".repeat(4_001)), 400],
  ])("refuses the body %.20s", async (body, status) => {
    const { ask, model } = await start([]);
    expect((await ask(body)).status).toBe(status);
    expect(model.requests).toEqual([]);
  });

  it("refuses a GET", async () => {
    const { url } = await start([]);
    expect((await fetch(url)).status).toBe(405);
  });
});

it("runs with one command and no key", async () => {
  const child = new Child(EXAMPLE, ["../run.mjs", EXAMPLE], { MODEL: "", BUILT: "1", PORT: "0" });
  closing.push(() => child.kill("SIGTERM"));
  const [, url = ""] = await child.told(/curl -N (\S+)/);
  const response = await fetch(url, { method: "POST", body: prompt("What is the time?") });
  const text = eventsOf(await response.text()).map(([name, data]) => (name === "text" ? data : ""));
  expect(text.join("")).toContain('You asked "What is the time?".');
  child.kill("SIGTERM");
  await child.exited;
});
