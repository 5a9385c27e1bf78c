/** Requests that are refused, each with the documented error, after which the server still answers. */
import { spawn } from "node:child_process";
import { request as httpRequest } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type HttpServing, serveHttp } from "@tsukumo/mcp/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countingServer } from "./stdio-server.mjs";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2026-07-28",
};
const TOKEN = "token";
let serving: HttpServing;

beforeAll(async () => {
  const verify = async (token: string) => (token === TOKEN ? { clientId: "me", scopes: [] } : undefined);
  serving = await serveHttp(countingServer(), { port: 0, maxBodyBytes: 10_000, bearer: { verify } });
});
afterAll(() => serving.stop(0));

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** `fetch` would not send another Host. */
function send(body: string, headers: Readonly<Record<string, string>> = {}, method = "POST"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = { ...HEADERS, authorization: `Bearer ${TOKEN}`, ...headers };
    const request = httpRequest(serving.url, { method, headers: sent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

function rpc(method: string, params: object = {}, meta: object = META): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } });
}

const CALL = rpc("tools/call", { name: "double", arguments: { n: 21 } });
const CALL_HEADERS = { "mcp-method": "tools/call", "mcp-name": "double" };

describe("over HTTP", () => {
  it.each<[string, Parameters<typeof send>, number, number | undefined]>([
    ["a body that is not JSON", ["{"], 400, -32700],
    ["a body over the limit", [`"${"x".repeat(10_001)}"`], 413, -32000],
    ["an unknown method", [rpc("no/such"), { "mcp-method": "no/such" }], 404, -32601],
    ["a header that says another method", [CALL, { ...CALL_HEADERS, "mcp-method": "tools/list" }], 400, -32020],
    ["a header that says another tool", [CALL, { ...CALL_HEADERS, "mcp-name": "fail" }], 400, -32020],
    [
      "a header that says another revision",
      [CALL, { ...CALL_HEADERS, "mcp-protocol-version": "2025-11-25" }],
      400,
      -32020,
    ],
    [
      "a revision that does not exist",
      [
        rpc("tools/list", {}, { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" }),
        { "mcp-method": "tools/list", "mcp-protocol-version": "2099-01-01" },
      ],
      400,
      -32022,
    ],
    ["another content type", [CALL, { ...CALL_HEADERS, "content-type": "text/plain" }], 415, -32000],
    ["the page of another site", [CALL, { ...CALL_HEADERS, origin: "https://evil.example" }], 403, -32000],
    ["a rebound host name", [CALL, { ...CALL_HEADERS, host: "evil.example" }], 403, -32000],
    ["no token", [CALL, { ...CALL_HEADERS, authorization: "" }], 401, undefined],
    ["a wrong token", [CALL, { ...CALL_HEADERS, authorization: "Bearer no" }], 401, undefined],
    ["a session that does not exist", ["", { "mcp-session-id": "no" }, "GET"], 404, -32001],
  ])("%s is refused", async (_, input, status, code) => {
    const answer = await send(...input);
    expect(answer.status, answer.text).toBe(status);
    if (code !== undefined) expect(JSON.parse(answer.text).error.code).toBe(code);
    const next = await send(CALL, CALL_HEADERS);
    expect(next.status, next.text).toBe(200);
    expect(next.text).toContain('"text":"42"');
  });
});

it("over stdio, lines that are no messages and unknown methods leave the server alive", async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("./stdio-server.mjs", import.meta.url))]);
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(`{"jsonrpc"\nnot json\n[]\n${rpc("no/such")}\n`);
    const refusals: unknown[] = [];
    let answer: { id?: number; error?: { code: number }; result?: unknown } = {};
    while (answer.id !== 1) {
      answer = JSON.parse((await lines.next()).value ?? "{}");
      refusals.push(answer.error?.code);
    }
    expect(refusals.at(-1)).toBe(-32601);
    child.stdin.write(`${CALL}\n`);
    expect(JSON.parse((await lines.next()).value ?? "{}").result).toMatchObject({ content: [{ text: "42" }] });
  } finally {
    child.kill("SIGKILL");
  }
});
