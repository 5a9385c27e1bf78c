/** Every provider's URL, headers and stream, over real HTTP. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Event, type LlmClient, type Request, type SchemeName, schemes } from "../../client/src/index.js";
import { anthropic } from "../../client/src/provider/anthropic.js";
import { compatible } from "../../client/src/provider/compatible.js";
import { gemini } from "../../client/src/provider/gemini.js";
import { ollama } from "../../client/src/provider/ollama.js";
import { openai } from "../../client/src/provider/openai.js";
import { ReplayServer, turnBuilders } from "../src/index.js";

const request: Request = {
  items: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] }],
  tools: [],
  config: {},
};
const turn = { thinking: "Hm.", text: "Hello!", toolCalls: [{ id: "c1", name: "f", args: { a: 1 } }] };
const KEY = "secret-key-123";

async function ask(client: LlmClient): Promise<Event[]> {
  const events: Event[] = [];
  for await (const batch of client.stream(request)) events.push(...batch);
  return events;
}

afterEach(() => void vi.unstubAllEnvs());

interface Case {
  readonly title: string;
  readonly scheme: SchemeName;
  make(url: string): LlmClient;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const bearer = { authorization: `Bearer ${KEY}` };
const CASES: readonly Case[] = [
  {
    title: "anthropic",
    scheme: "anthropic",
    make: (baseUrl) => anthropic({ model: "m", apiKey: KEY, baseUrl, beta: ["b1", "b2"] }),
    path: "/v1/messages",
    headers: { "x-api-key": KEY, "anthropic-version": "2023-06-01", "anthropic-beta": "b1,b2" },
  },
  {
    title: "openai",
    scheme: "openai-chat",
    make: (baseUrl) => openai({ model: "m", apiKey: KEY, baseUrl: `${baseUrl}/v1`, organization: "o", project: "p" }),
    path: "/v1/chat/completions",
    headers: { ...bearer, "openai-organization": "o", "openai-project": "p" },
  },
  {
    title: "openai responses",
    scheme: "openai-responses",
    make: (baseUrl) => openai({ model: "m", apiKey: () => Promise.resolve(KEY), baseUrl, api: "responses" }),
    path: "/v1/responses",
    headers: bearer,
  },
  {
    title: "gemini",
    scheme: "gemini",
    make: (baseUrl) => gemini({ model: "gemini-x", apiKey: KEY, baseUrl }),
    path: "/v1beta/models/gemini-x:streamGenerateContent?alt=sse",
    headers: { "x-goog-api-key": KEY },
  },
  {
    title: "gemini on Vertex AI",
    scheme: "gemini",
    make: (baseUrl) =>
      gemini({ model: "publishers/google/models/g", baseUrl: `${baseUrl}/v1/projects/p/locations/l`, headers: bearer }),
    path: "/v1/projects/p/locations/l/publishers/google/models/g:streamGenerateContent?alt=sse",
    headers: bearer,
  },
  {
    title: "ollama",
    scheme: "ollama",
    make: (baseUrl) => ollama({ model: "m", baseUrl: `${baseUrl}/v1/` }),
    path: "/api/chat",
    headers: {},
  },
  {
    title: "compatible, with a version of its own",
    scheme: "openai-chat",
    make: (baseUrl) =>
      compatible({ scheme: "openai-chat", model: "m", apiKey: KEY, baseUrl: `${baseUrl}/api/paas/v4` }),
    path: "/api/paas/v4/chat/completions",
    headers: bearer,
  },
  {
    title: "compatible, Azure's deployments",
    scheme: "openai-chat",
    make: (baseUrl) =>
      compatible({
        scheme: "openai-chat",
        model: "m",
        headers: { "api-key": KEY },
        baseUrl: `${baseUrl}/openai/deployments/d?api-version=1`,
      }),
    path: "/openai/deployments/d/chat/completions?api-version=1",
    headers: { "api-key": KEY },
  },
  {
    title: "compatible, Anthropic's format",
    scheme: "anthropic",
    make: (baseUrl) => compatible({ scheme: "anthropic", model: "m", apiKey: KEY, baseUrl: `${baseUrl}/anthropic` }),
    path: "/anthropic/v1/messages",
    headers: { "x-api-key": KEY, "anthropic-version": "2023-06-01" },
  },
  {
    title: "compatible, Open Responses",
    scheme: "openai-responses",
    make: (baseUrl) => compatible({ scheme: "openai-responses", model: "m", apiKey: KEY, baseUrl }),
    path: "/v1/responses",
    headers: bearer,
  },
];

describe.each(CASES)("$title", ({ scheme, make, path, headers }) => {
  test("sends what its server expects and reads the answer", async () => {
    const body = turnBuilders[scheme](turn);
    await using server = await ReplayServer.start({ scheme, turns: [body], chunkSize: 37 });
    const client = make(server.url);
    const events = await ask(client);
    const decoder = schemes[scheme].decoder();
    expect(events).toEqual([...decoder.push(new TextEncoder().encode(body)), ...decoder.end()]);
    expect(events.at(-1)).toEqual({ type: "status", status: "completed" });
    expect(server.requests[0]?.path).toBe(path);
    expect(server.requests[0]?.headers).toMatchObject({ "content-type": "application/json", ...headers });
    expect(server.requests[0]?.path).not.toContain(KEY);
    expect(JSON.stringify(client)).not.toContain(KEY);
    server.assertOk();
  });
});

test("keys and hosts from the environment", async () => {
  const turns = (["anthropic", "openai-chat", "gemini", "gemini", "ollama"] as const).map((scheme) =>
    turnBuilders[scheme](turn),
  );
  await using server = await ReplayServer.start({ turns });
  vi.stubEnv("ANTHROPIC_API_KEY", "k-anthropic");
  vi.stubEnv("ANTHROPIC_BASE_URL", server.url);
  vi.stubEnv("OPENAI_API_KEY", " k-openai ");
  vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
  vi.stubEnv("GEMINI_API_KEY", "k-gemini");
  vi.stubEnv("OLLAMA_HOST", server.url.replace("http://", ""));
  vi.stubEnv("OLLAMA_API_KEY", "");
  await ask(anthropic({ model: "m" }));
  await ask(openai({ model: "m" }));
  await ask(gemini({ model: "m", baseUrl: server.url }));
  vi.stubEnv("GEMINI_API_KEY", "");
  vi.stubEnv("GOOGLE_API_KEY", "k-google");
  vi.stubEnv("GOOGLE_GEMINI_BASE_URL", server.url);
  await ask(gemini({ model: "m" }));
  await ask(ollama({ model: "m" }));
  const keys = server.requests.map(
    ({ headers }) => headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers.authorization,
  );
  expect(keys).toEqual(["k-anthropic", "Bearer k-openai", "k-gemini", "k-google", undefined]);
});

test.each([
  ["not a url", "baseUrl is not a URL"],
  ["ftp://x.test", "must begin with http"],
  ["https://user:pa55@x.test", "must not hold a user"],
])("the base URL %s is refused before anything is sent", async (baseUrl, message) => {
  const error = await ask(anthropic({ model: "m", apiKey: KEY, baseUrl })).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "config", message: expect.stringContaining(message) });
  expect(String(error)).not.toMatch(/pa55|secret/);
});

describe("no event waits for the next", () => {
  test.each(Object.keys(turnBuilders).filter((name): name is SchemeName => name in turnBuilders))("%s", (scheme) => {
    const end = scheme === "ollama" ? "\n" : "\n\n";
    const words = Array.from({ length: 12 }, (_, n) => `word-${n} `.padEnd(16, "."));
    const messages = turnBuilders[scheme]({ text: words.join("") })
      .split(end)
      .slice(0, -1);
    const decoder = schemes[scheme].decoder();
    const seen: string[] = [];
    for (const message of messages) {
      const said = words.filter((word) => message.includes(`"${word}"`));
      for (const event of decoder.push(new TextEncoder().encode(message + end))) {
        if (event.type === "block_delta") seen.push(event.delta.text);
      }
      for (const word of said) expect(seen).toContain(word);
    }
    expect(seen).toEqual(words);
  });
});
