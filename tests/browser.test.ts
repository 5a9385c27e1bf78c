/** The runtime packages where there is no Node: bundled for the browser, run with web globals only and without `eval`. */
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { anthropicTurn } from "../packages/testing/src/index.js";

const ENTRY = fileURLToPath(new URL("./browser-entry.mjs", import.meta.url));

/** What browsers, Deno, Bun and edge workers have in common. */
const WEB_GLOBALS = [
  "AbortController",
  "AbortSignal",
  "Blob",
  "Event",
  "EventTarget",
  "Headers",
  "ReadableStream",
  "Request",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "TransformStream",
  "URL",
  "URLSearchParams",
  "WritableStream",
  "atob",
  "btoa",
  "clearTimeout",
  "console",
  "crypto",
  "fetch",
  "performance",
  "queueMicrotask",
  "setTimeout",
  "structuredClone",
] as const;

let code = "";

beforeAll(async () => {
  const built = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "shipped",
    target: "es2022",
    logLevel: "silent",
  });
  expect(built.warnings).toEqual([]);
  code = built.outputFiles[0]?.text ?? "";
});

/** What the code of the bundle tells of `expression`; strings cannot become code there. */
async function evaluate(expression: string): Promise<unknown> {
  const globals = Object.fromEntries(WEB_GLOBALS.map((name) => [name, Reflect.get(globalThis, name)]));
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  const told: unknown = await runInContext(`${code}\n${expression}`, context);
  return JSON.parse(JSON.stringify(told));
}

describe("in a browser", () => {
  it("has nothing of Node", async () => {
    expect(await evaluate("[typeof process, typeof Buffer, typeof require, typeof setImmediate]")).toEqual([
      "undefined",
      "undefined",
      "undefined",
      "undefined",
    ]);
    await expect(evaluate("new Function('return 1')()")).rejects.toThrow("Code generation from strings");
  });

  it("loads every entry of the runtime packages", async () => {
    const names = await evaluate("Object.entries(shipped.modules).filter(([, m]) => Object.keys(m).length > 0).length");
    expect(names).toBe(12);
  });

  it("lets a worker use a compiled tool", async () => {
    const answers = [
      anthropicTurn({ toolCalls: [{ id: "call_1", name: "getWeather", args: { location: "Kyoto" } }] }),
      anthropicTurn({ text: "16 degrees." }),
    ];
    const told = await evaluate(`shipped.run(${JSON.stringify(answers)})`);
    expect(told).toMatchObject({
      text: "16 degrees.",
      refused: expect.stringContaining("location"),
      joined: "ABC",
      schemes: ["anthropic", "openai-chat", "openai-responses", "gemini", "ollama"],
    });
    expect(told).toMatchObject({ bodies: [expect.any(String), expect.stringContaining("16 °C")] });
    expect(told).not.toMatchObject({ cleaned: expect.stringContaining("<|im_start|>") });
  });
});
