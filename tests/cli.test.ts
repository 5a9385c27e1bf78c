import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  anthropicTurn,
  geminiTurn,
  ollamaTurn,
  openaiChatTurn,
  openaiResponsesTurn,
  ReplayServer,
} from "@tsukumo/testing";
import { type ToolDefinition, ToolRegistry, toolDefinitions } from "@tsukumo/tool";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it, vi } from "vitest";
import { CLI, ROOT, tsukumo } from "./run-command.js";

const TOOLS = "fixtures/demo/src/tools";
const temporary = mkdtempSync(join(tmpdir(), "tsukumo-cli-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

interface PrintedTools {
  readonly tools: readonly { readonly name: string; readonly inputSchema: object; readonly outputSchema?: object }[];
}

describe("schema", () => {
  it("prints schemas that Ajv compiles", async () => {
    const { code, stdout } = await tsukumo(["schema", TOOLS]);
    expect(code).toBe(0);
    const { tools }: PrintedTools = JSON.parse(stdout);
    expect(tools.map((tool) => tool.name).sort()).toEqual([
      "book",
      "cancel_booking",
      "getWeather",
      "list_bookings",
      "planTrip",
      "takeNote",
    ]);
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    for (const { inputSchema, outputSchema } of tools) {
      expect(typeof ajv.compile(inputSchema)).toBe("function");
      if (outputSchema !== undefined) expect(typeof ajv.compile(outputSchema)).toBe("function");
    }
  });

  it("prints what the transformer emitted for the same folder", async () => {
    const built: ToolDefinition[] = [];
    for (const name of ["ledger", "trips", "weather"]) {
      const module: Record<string, unknown> = await import(`${ROOT}fixtures/demo/dist/tools/${name}.js`);
      const { Ledger } = module;
      built.push(...toolDefinitions(typeof Ledger === "function" ? Reflect.construct(Ledger, []) : { ...module }));
    }
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    const { stdout } = await tsukumo(["schema", TOOLS]);
    expect(JSON.stringify(JSON.parse(stdout).tools.sort(byName))).toBe(
      JSON.stringify(ToolRegistry.of(...built).definitions()),
    );
  });

  it("leaves files alone that it did not write", async () => {
    const source = join(temporary, "mine.ts");
    writeFileSync(source, "/** D\n * @tool */\nexport function f(): void {}\n");
    const { code, stderr } = await tsukumo(["gen", source, "-o", source]);
    expect(code).toBe(1);
    expect(stderr).toContain("was not written by `tsukumo gen`");
    expect(readFileSync(source, "utf8")).toContain("@tool");
  });

  it("refuses what does not parse", async () => {
    const source = join(temporary, "broken.ts");
    writeFileSync(source, "export const x = ;\n/** D\n * @tool */\nexport function f(): void {}\n");
    const { code, stderr } = await tsukumo(["schema", source]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/broken\.ts\(1,18\): error TS\d+/);
  });

  it("prints one tool, and says which there are when it is another", async () => {
    const one = await tsukumo(["schema", TOOLS, "--tool", "book"]);
    expect(JSON.parse(one.stdout).tools).toHaveLength(1);
    const none = await tsukumo(["schema", TOOLS, "--tool", "nope"]);
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("getWeather");
  });

  it("converts to a dialect, and says what cannot be expressed", async () => {
    const { code, stdout, stderr } = await tsukumo([
      "schema",
      TOOLS,
      "--tool",
      "planTrip",
      "--dialect",
      "openai-strict",
    ]);
    expect(code).toBe(0);
    const [{ inputSchema }] = JSON.parse(stdout).tools;
    expect(inputSchema.properties.trip.required).toEqual(["title", "legs", "travellers"]);
    expect(stderr).toContain("planTrip $input.trip.travellers");
  });

  it("shows a diagnostic with its place and a code frame, and fails", async () => {
    const { code, stderr } = await tsukumo(["schema", "fixtures/diagnostics/TSK1001.ts"]);
    expect(code).toBe(1);
    expect(stderr).toContain("fixtures/diagnostics/TSK1001.ts:3:3 - error TSK1001: The property `filter`");
    expect(stderr).toContain("3 |   filter: Map<string, string>;\n  |   ~~~~~~");
  });
});

describe("call", () => {
  it.each([
    ["getWeather", '{"location":"Naha"}', "Naha: 24 °C, light wind, clear\n"],
    ["getWeather", '{"location":"Naha","celsius":false}', "Naha: 75 °F, light wind, clear\n"],
    [
      "planTrip",
      '{"trip":{"title":"t","legs":[{"from":"a","to":"b","means":"train","km":160}]}}',
      '{"title":"t","km":160,"hours":1,"co2Kg":3.2}\n',
    ],
    ["takeNote", '{"text":"x"}', "Note 1 is kept.\n"],
    ["book", '{"what":"x","yen":5}', '{"id":1,"what":"x","yen":5}\n'],
    ["list_bookings", "", "[]\n"],
  ])("runs %s", async (tool, args, output) => {
    expect(await tsukumo(["call", TOOLS, tool, ...(args === "" ? [] : [args])])).toMatchObject({
      code: 0,
      stdout: output,
    });
  });

  it("reads arguments from standard input", async () => {
    const { stdout } = await tsukumo(["call", TOOLS, "takeNote", "-"], { input: '{"text":"from stdin","tags":["a"]}' });
    expect(stdout).toBe("Note 1 is kept.\n");
  });

  it.each([
    [
      "getWeather",
      '{"place":"Naha","celsius":"maybe"}',
      "InvalidArgument",
      ["$input.location", "$input.place", "$input.celsius"],
    ],
    ["getWeather", '{"location":"Na', "InvalidArgument", ["$input"]],
    ["cancel_booking", '{"id":7}', "ExecutionFailed", []],
    ["nope", "{}", "NotFound", []],
  ])("fails with the ToolError as JSON: %s %s", async (tool, args, code, paths) => {
    const outcome = await tsukumo(["call", TOOLS, tool, args]);
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    const error = JSON.parse(outcome.stderr);
    expect(error.code).toBe(code);
    expect((error.issues ?? []).map((issue: { path: string }) => issue.path).sort()).toEqual([...paths].sort());
  });
});

describe("gen", () => {
  it("writes, verifies and tells drift", async () => {
    const out = join(temporary, "tools.gen.ts");
    expect(await tsukumo(["gen", TOOLS, "-o", out])).toMatchObject({ code: 0 });
    expect(await tsukumo(["gen", TOOLS, "-o", out, "--check"])).toMatchObject({ code: 0 });
    writeFileSync(out, readFileSync(out, "utf8").replace("Books something", "Books anything"));
    const drift = await tsukumo(["gen", TOOLS, "-o", out, "--check"]);
    expect(drift.code).toBe(1);
    expect(drift.stderr).toMatch(/^-.*Books anything/m);
    expect(drift.stderr).toMatch(/^\+.*Books something/m);
  });

  it("follows an edit, also one of an imported type, in watch mode", async () => {
    const folder = join(temporary, "watched");
    mkdirSync(folder);
    writeFileSync(join(folder, "types.ts"), "export interface Place { city: string }\n");
    const source = (doc: string): string =>
      `import type { Place } from "./types.js";\n/** ${doc}\n * @tool\n * @param place P */\nexport function find(place: Place): void {}\n`;
    writeFileSync(join(folder, "find.ts"), source("One."));
    const child = spawn(process.execPath, [CLI, "gen", folder, "--watch"]);
    try {
      const generated = (text: string): Promise<void> =>
        vi.waitFor(() => expect(readFileSync(join(folder, "tools.gen.ts"), "utf8")).toContain(text), {
          timeout: 30_000,
          interval: 50,
        });
      await generated("One.");
      writeFileSync(join(folder, "find.ts"), source("Two."));
      await generated("Two.");
      writeFileSync(join(folder, "types.ts"), "export interface Place { city: string; zip: number }\n");
      await generated("zip");
    } finally {
      child.kill("SIGINT");
      await once(child, "close");
    }
  });

  it("refuses what it cannot import", async () => {
    const { code, stderr } = await tsukumo([
      "gen",
      "fixtures/diagnostics/TSK1018.ts",
      "-o",
      join(temporary, "x.gen.ts"),
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain("error TSK1018");
    expect(existsSync(join(temporary, "x.gen.ts"))).toBe(false);
  });
});

describe("lint, cost and diff", () => {
  it("lints: warnings pass, dialects that were asked for do not", async () => {
    const clean = await tsukumo(["lint", TOOLS]);
    expect(clean).toMatchObject({ code: 0, stderr: "6 tools, 0 errors, 0 warnings\n" });
    const strict = await tsukumo(["lint", TOOLS, "--dialects", "openai-strict"]);
    expect(strict.code).toBe(1);
    expect(strict.stdout).toMatch(/trips\.ts:\d+:\d+ - error TSK1024: `trip\.travellers`/);
    const warned = await tsukumo(["lint", "fixtures/diagnostics/TSK1010.ts", "--json"]);
    expect(JSON.parse(warned.stdout)).toMatchObject([{ code: "TSK1010", severity: "warning", line: 2 }]);
    expect(await tsukumo(["lint", "fixtures/diagnostics/TSK1010.ts", "--max-warnings", "0"])).toMatchObject({
      code: 1,
    });
  });

  it("counts tokens and keeps a budget", async () => {
    const { stdout } = await tsukumo(["cost", TOOLS, "--json"]);
    const { tools, total } = JSON.parse(stdout);
    expect(tools).toHaveLength(6);
    expect(tools[0].name).toBe("planTrip");
    expect(total).toBe(tools.reduce((sum: number, tool: { tokens: number }) => sum + tool.tokens, 0));
    expect(await tsukumo(["cost", TOOLS, "--budget", String(total)])).toMatchObject({ code: 0 });
    expect(await tsukumo(["cost", TOOLS, "--budget", String(total - 1)])).toMatchObject({ code: 1 });
    expect((await tsukumo(["cost", TOOLS, "--tool-budget", "100"])).stderr).toContain("planTrip");
  });

  it("tells breaking, compatible and description changes apart", async () => {
    const lock = join(temporary, "tools.lock.json");
    const source = join(temporary, "versioned.ts");
    const version = (signature: string, doc = "D", effect = "read_only") =>
      `/** ${doc}\n * @tool\n * @effect ${effect} */\nexport function f(${signature}): void {}\n`;
    writeFileSync(source, version('a: string, mode?: "x" | "y"'));
    expect(await tsukumo(["diff", source, "--lock", lock])).toMatchObject({ code: 1 });
    expect(await tsukumo(["diff", source, "--lock", lock, "--write"])).toMatchObject({ code: 0 });
    expect(await tsukumo(["diff", source, "--lock", lock])).toMatchObject({ code: 0, stdout: "No changes.\n" });
    for (const [text, code, kinds] of [
      [version('a: string, mode?: "x" | "y"', "Other"), 0, ["description"]],
      [version('a: string, mode?: "x" | "y" | "z", more?: number'), 0, ["compatible", "compatible"]],
      [version('a?: string, mode?: "x"'), 1, ["compatible", "breaking"]],
      [version('a: number, mode?: "x" | "y", must: boolean'), 1, ["breaking", "breaking"]],
      [version("a: string"), 1, ["breaking"]],
      [version('a: string, mode?: "x" | "y"', "D", "destructive"), 1, ["breaking"]],
    ] as const) {
      writeFileSync(source, text);
      const outcome = await tsukumo(["diff", source, "--lock", lock, "--json"]);
      expect(outcome.code).toBe(code);
      expect(JSON.parse(outcome.stdout).map((change: { kind: string }) => change.kind)).toEqual(kinds);
    }
  });
});

describe("decode and encode", () => {
  it("prints one event a line, whatever the chunks", async () => {
    const bytes = anthropicTurn({ text: "Grüße, 世界", toolCalls: [{ id: "c1", name: "f", args: { a: 1 } }] });
    const file = join(temporary, "stream.sse");
    writeFileSync(file, bytes);
    const whole = await tsukumo(["decode", "--scheme", "anthropic", file]);
    expect(whole.code).toBe(0);
    const events = whole.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.filter((event) => event.type === "block_start")).toHaveLength(2);
    for (const chunk of ["1", "7", "64"]) {
      expect(
        (await tsukumo(["decode", "--scheme", "anthropic", "--chunk", chunk], { input: bytes.toString() })).stdout,
      ).toBe(whole.stdout);
    }
  });

  it("prints the body of a request, snake_case or not", async () => {
    const camel = JSON.stringify({
      systemPrompt: "S",
      items: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
        { type: "function_call", callId: "c", name: "f", arguments: "{}" },
        { type: "function_call_output", callId: "c", output: "ok" },
      ],
    });
    const snake = camel.replaceAll("callId", "call_id").replaceAll("systemPrompt", "system_prompt");
    const one = await tsukumo(["encode", "--scheme", "openai-chat", "--model", "m"], { input: camel });
    expect(one.code).toBe(0);
    expect(JSON.parse(one.stdout)).toMatchObject({ model: "m", stream: true });
    expect((await tsukumo(["encode", "--scheme", "openai_chat", "--model", "m"], { input: snake })).stdout).toBe(
      one.stdout,
    );
  });
});

describe("run", () => {
  it.each([
    ["anthropic", anthropicTurn],
    ["openai", openaiChatTurn],
    ["openai-responses", openaiResponsesTurn],
    ["gemini", geminiTurn],
    ["ollama", ollamaTurn],
  ] as const)("streams an answer that a tool helped with: %s", async (provider, turn) => {
    const server = await ReplayServer.start({
      turns: [
        turn({ toolCalls: [{ id: "c1", name: "getWeather", args: { location: "Naha" } }] }),
        turn({ text: "Warm: 24." }),
      ],
      expect: (request, n) => {
        if (n === 1 && !request.body.includes("Naha: 24 °C")) throw new Error("the result is missing");
      },
    });
    try {
      const env = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" };
      const { code, stdout, stderr } = await tsukumo(
        ["run", TOOLS, "How warm is Naha?", "--provider", provider, "--model", "m", "--base-url", server.url],
        { env },
      );
      expect(stderr).toBe("");
      expect(code).toBe(0);
      expect(stdout).toContain('→ getWeather {"location":"Naha"}');
      expect(stdout).toContain("Warm: 24.");
      server.assertOk();
    } finally {
      await server.close();
    }
  });

  it("keeps a session, prints JSON, and does not run destructive tools unasked", async () => {
    const session = join(temporary, "session.json");
    const server = await ReplayServer.start({
      turns: [
        anthropicTurn({ toolCalls: [{ id: "c1", name: "cancel_booking", args: { id: 1 } }] }),
        anthropicTurn({ text: "Not done." }),
        anthropicTurn({ text: "Still here." }),
      ],
      expect: (request, n) => {
        if (n === 2 && !request.body.includes("Not done.")) throw new Error("the session was lost");
      },
    });
    try {
      const args = ["--model", "m", "--base-url", server.url, "--resume", session, "--json"];
      const first = await tsukumo(["run", TOOLS, "Cancel it", ...args], { env: { ANTHROPIC_API_KEY: "k" } });
      const events = first.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const result = events.find((event) => event.type === "tool_result");
      expect(result.result.isError).toBe(true);
      expect(events.at(-1)).toMatchObject({ type: "finished", result: { status: "finished", text: "Not done." } });
      expect((await tsukumo(["run", TOOLS, "And now?", ...args], { env: { ANTHROPIC_API_KEY: "k" } })).code).toBe(0);
      server.assertOk();
    } finally {
      await server.close();
    }
  });

  it("tells an HTTP error in one line", async () => {
    const server = await ReplayServer.start({
      turns: [{ status: 401, body: '{"type":"error","error":{"type":"authentication_error","message":"bad key"}}' }],
    });
    try {
      const outcome = await tsukumo(["run", TOOLS, "hi", "--model", "m", "--base-url", server.url], {
        env: { ANTHROPIC_API_KEY: "secret-key" },
      });
      expect(outcome.code).toBe(1);
      expect(outcome.stderr).toContain("bad key");
      expect(outcome.stderr).not.toContain("secret-key");
      expect(outcome.stderr).not.toContain("    at ");
    } finally {
      await server.close();
    }
  });
});

describe("the command line", () => {
  it.each([
    [["nope"], 2, "There is no command nope"],
    [["schema", TOOLS, "--tol", "x"], 2, "Unknown option --tol"],
    [["schema", "missing-folder"], 1, "There is no file or folder"],
    [["decode", "--scheme", "smoke", "README.md"], 2, "There is no scheme smoke"],
    [["decode", "--scheme", "anthropic", "missing"], 1, "Cannot read missing"],
    [["encode", "--scheme", "anthropic", "README.md"], 1, "not valid JSON"],
    [["schema"], 2, "PATH"],
  ])("%j exits with %d and says why", async (args, code, text) => {
    const outcome = await tsukumo(args);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(text);
    expect(outcome.stderr).not.toContain("    at ");
  });

  it("has help for every command", async () => {
    const { stdout } = await tsukumo(["--help"]);
    const commands = readdirSync(join(ROOT, "cli/src/commands")).map((name) => name.replace(".ts", ""));
    for (const command of commands) {
      expect(stdout).toContain(command);
      expect(await tsukumo([command, "--help"])).toMatchObject({ code: 0, stderr: "" });
    }
  });
});
