import ts from "typescript";
import { describe, expect, it } from "vitest";
import {
  DuplicateNameError,
  extensionToken,
  NotTransformedError,
  parseToolEffect,
  SharedState,
  type Tool,
  ToolContext,
  type ToolDefinition,
  ToolError,
  type ToolMeta,
  ToolOutput,
  ToolRegistry,
  tool,
  toolDefinition,
  toolDefinitions,
  toolMeta,
} from "../src/index.js";

function define(
  name: string,
  execute: Tool["execute"] = async () => new ToolOutput("ok"),
  meta: Partial<ToolMeta> = {},
): ToolDefinition {
  return () => [toolMeta({ name, ...meta }), { execute }];
}

describe("ToolRegistry", () => {
  it("calls each factory once, at registration, and freezes the meta deeply", async () => {
    let made = 0;
    const registry = ToolRegistry.of(() => {
      made++;
      return [
        {
          name: "a",
          description: "A",
          effect: "mutating",
          inputSchema: { type: "object", properties: { x: { type: "string" } } },
        },
        { execute: async () => new ToolOutput("") },
      ];
    });
    expect(made).toBe(1);
    await registry.dispatch("a");
    await registry.dispatch("a");
    expect(made).toBe(1);
    const meta = registry.definition("a");
    expect(Object.isFrozen(meta)).toBe(true);
    expect(Object.isFrozen(Reflect.get(Object(meta?.inputSchema.properties), "x"))).toBe(true);
  });

  it("keeps one instance, which may hold state", async () => {
    const counter: ToolDefinition = () => {
      let n = 0;
      return [toolMeta({ name: "count" }), { execute: async () => new ToolOutput(String(++n)) }];
    };
    const registry = ToolRegistry.of(counter);
    await registry.dispatch("count");
    expect((await registry.dispatch("count")).content).toBe("2");
  });

  it("registers all or none", () => {
    const registry = ToolRegistry.of(define("a"));
    expect(() => registry.register(define("b"), define("a"))).toThrow(DuplicateNameError);
    expect(() => registry.register(define("c"), define("c"))).toThrow(
      expect.objectContaining({ code: "DuplicateName", toolName: "c" }),
    );
    expect(registry.size).toBe(1);
    registry.replace(define("a", undefined, { effect: "destructive" }));
    expect(registry.isDestructive("a")).toBe(true);
    expect(registry.remove("a")).toBe(true);
    expect(registry.remove("a")).toBe(false);
  });

  it("sorts definitions by name in code units", () => {
    expect(
      ToolRegistry.of(define("b"), define("B"), define("a_b"), define("aB"))
        .definitions()
        .map((meta) => meta.name),
    ).toEqual(["B", "aB", "a_b", "b"]);
  });

  it.each<[name: string, execute: Tool["execute"], expected: object]>([
    ["a ToolError", async () => Promise.reject(ToolError.internal("broken")), { code: "Internal", message: "broken" }],
    ["an Error", async () => Promise.reject(new Error("no disk")), { code: "ExecutionFailed", message: "no disk" }],
    ["a string", async () => Promise.reject("plain"), { code: "ExecutionFailed", message: "plain" }],
    [
      "a synchronous throw",
      () => {
        throw new TypeError("sync");
      },
      { code: "ExecutionFailed", message: "sync" },
    ],
  ])("turns %s into a ToolError", async (_, execute, expected) => {
    await expect(ToolRegistry.of(define("t", execute)).dispatch("t")).rejects.toMatchObject(expected);
  });

  it("answers an unknown name with NotFound and what there is", async () => {
    await expect(ToolRegistry.of(define("a"), define("b")).dispatch("c")).rejects.toMatchObject({
      code: "NotFound",
      message: expect.stringContaining("a, b"),
    });
    await expect(new ToolRegistry().dispatch("c")).rejects.toMatchObject({ code: "NotFound" });
  });

  it.each([
    [undefined, ""],
    [null, ""],
    ["", ""],
    [{ a: 1 }, '{"a":1}'],
    ['{"a":1}', '{"a":1}'],
  ])("hands %j to the tool as %j", async (args, text) => {
    let seen: string | undefined;
    await ToolRegistry.of(
      define("t", async (json) => {
        seen = json;
        return new ToolOutput("");
      }),
    ).dispatch("t", args);
    expect(seen).toBe(text);
  });

  it("refuses arguments without a JSON form", async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const args of [cycle, () => 1, 1n])
      await expect(ToolRegistry.of(define("t")).dispatch("t", args)).rejects.toMatchObject({ code: "InvalidArgument" });
  });
});

describe("ToolOutput", () => {
  it.each([
    ["text", "text", undefined],
    [{ a: [1, null] }, '{"a":[1,null]}', { a: [1, null] }],
    [undefined, "null", null],
    [3, "3", 3],
    [new Date(0), '"1970-01-01T00:00:00.000Z"', "1970-01-01T00:00:00.000Z"],
    [{ a: undefined }, "{}", {}],
  ])("of %j", (value, content, structured) => {
    expect(ToolOutput.from(value)).toMatchObject({ content, structured });
  });

  it("passes through, keeps metadata hidden from the content, and refuses what has no JSON form", () => {
    const output = new ToolOutput("x", { metadata: { secret: 1 } });
    expect(ToolOutput.from(output)).toBe(output);
    expect(output.withMetadata({ more: 2 })).toMatchObject({ content: "x", metadata: { secret: 1, more: 2 } });
    expect(ToolOutput.json([1]).withContent("y")).toMatchObject({ content: "y", structured: [1] });
    expect(() => ToolOutput.from(() => 1)).toThrow(TypeError);
    expect(() => ToolOutput.from(1n)).toThrow(TypeError);
  });
});

it("ToolError carries metadata that is not in its message", () => {
  const error = ToolError.executionFailed("m", new Error("cause")).withMetadata({ path: "/x" });
  expect(error.toJSON()).toEqual({ code: "ExecutionFailed", message: "m", metadata: { path: "/x" } });
  expect(error.cause).toBeInstanceOf(Error);
});

describe("ToolContext", () => {
  it("shares state and extensions with the contexts made of it", () => {
    class Db {
      constructor(readonly name: string) {}
    }
    const token = extensionToken<number>("limit");
    const base = new ToolContext({ conversationId: "c", state: new SharedState({ a: 1 }) }).setExtension(
      Db,
      new Db("x"),
    );
    const child = base.with({ caller: "bob", idle: true });
    child.state.set("b", [2]);
    child.setExtension(token, 3);
    expect(base.state.get("b")).toEqual([2]);
    expect(base.extension(token)).toBe(3);
    expect(child.extension(Db)?.name).toBe("x");
    expect(child.extension(extensionToken<number>("limit"), 9)).toBe(9);
    expect([base.caller, child.caller, child.conversationId, child.idle, base.idle]).toEqual([
      undefined,
      "bob",
      "c",
      true,
      false,
    ]);
    expect(base.state.get("none", "fallback")).toBe("fallback");
    expect([base.state.delete("a"), base.state.delete("a")]).toEqual([true, false]);
    expect(base.state.toJSON()).toEqual({ b: [2] });
    expect(base.signal.aborted).toBe(false);
  });

  it("asks for its signal when that is first read, and only once", () => {
    let asked = 0;
    const abort = new AbortController();
    const signal = () => {
      asked++;
      return abort.signal;
    };
    const context = new ToolContext({ signal });
    const child = context.with({ idle: true });
    expect(asked).toBe(0);
    expect([context.signal, context.signal]).toEqual([abort.signal, abort.signal]);
    expect(asked).toBe(1);
    abort.abort();
    expect(child.signal.aborted).toBe(true);
  });
});

it.each([
  ["read_only", "read_only"],
  ["idempotent", "read_only"],
  [" destructive ", "destructive"],
  ["harmless", undefined],
])("reads the effect %j as %j", (text, effect) => {
  expect(parseToolEffect(text)).toBe(effect);
});

describe("untransformed", () => {
  function plain(): void {}
  it("says what to do", () => {
    for (const attempt of [
      () => toolDefinition(plain),
      () => toolDefinitions({ plain }),
      () => toolDefinitions(Object.create(null)),
    ]) {
      expect(attempt).toThrow(NotTransformedError);
      expect(attempt).toThrow(expect.objectContaining({ code: "TSUKUMO_NOT_TRANSFORMED" }));
    }
  });

  it("leaves decorated methods as they are", () => {
    const source = "class App { @tool one() { return 1; } @tool({ name: 'x' }) two() { return 2; } } return new App();";
    for (const experimentalDecorators of [false, true]) {
      const { outputText } = ts.transpileModule(source, {
        compilerOptions: { target: ts.ScriptTarget.ES2022, experimentalDecorators },
      });
      const app = new Function("tool", outputText)(tool);
      expect([app.one(), app.two()]).toEqual([1, 2]);
    }
  });
});
