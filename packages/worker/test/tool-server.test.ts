import { ToolContext, type ToolDefinition, ToolError } from "@tsukumo/tool";
import { describe, expect, it } from "vitest";
import { ToolServer, ToolServerError, Worker } from "../src/index.js";
import { ScriptedClient } from "./scripted.js";
import { tool } from "./tools.js";

function counted(definition: ToolDefinition): { definition: ToolDefinition; calls: () => number } {
  let calls = 0;
  return {
    definition: () => {
      calls += 1;
      return definition();
    },
    calls: () => calls,
  };
}

describe("registration", () => {
  it("calls a factory exactly once, at once, and keeps the instance", async () => {
    let runs = 0;
    const { definition, calls } = counted(tool("t", () => ++runs));
    const worker = Worker.create(new ScriptedClient());
    worker.registerTool(definition);
    expect(calls()).toBe(1);
    const handle = worker.toolServerHandle();
    const first = handle.getTool("t");
    expect((await handle.callTool("t", "")).content).toBe("1");
    expect((await handle.callTool("t", "")).content).toBe("2");
    expect(handle.getTool("t")).toBe(first);
    expect(calls()).toBe(1);
    expect(Object.isFrozen(first?.meta.inputSchema)).toBe(true);
  });

  it.each([
    ["a name that is taken", ["new", "old"]],
    ["a name that is given twice", ["new", "new"]],
  ])("of several is all or none: %s", (_, names) => {
    const worker = Worker.create(new ScriptedClient(), { tools: [tool("old", () => "")] });
    const before = worker.toolServerHandle().toolDefinitionsSorted();
    expect(() => worker.registerTools(names.map((name) => tool(name, () => "")))).toThrow(
      expect.objectContaining({ name: "ToolServerError", code: "DuplicateName", toolName: names[1] }),
    );
    expect(worker.toolServerHandle().toolDefinitionsSorted()).toEqual(before);
  });

  it("replaces and removes only when told so", () => {
    const worker = Worker.create(new ScriptedClient(), { tools: [tool("t", () => "old")] });
    const handle = worker.toolServerHandle();
    const old = handle.getTool("t");
    worker.replaceTool(tool("t", () => "new"));
    expect(handle.getTool("t")).not.toBe(old);
    expect(worker.unregisterTool("t")).toBe(true);
    expect(worker.unregisterTool("t")).toBe(false);
    expect(handle.getTool("t")).toBeUndefined();
  });
});

describe("the handle", () => {
  const server = new ToolServer();
  const handle = server.handle();
  Worker.create(new ScriptedClient(), {
    toolServer: server,
    tools: [
      tool("zeta", () => "z"),
      tool("alpha", (args, context) => `${JSON.stringify(args)} for ${context.conversationId}`),
      tool("Beta", () => {
        throw ToolError.invalidArgument("wrong city");
      }),
    ],
  });

  it("lists definitions by name, the same list each time", () => {
    expect(handle.toolDefinitionsSorted().map(({ name }) => name)).toEqual(["Beta", "alpha", "zeta"]);
    expect(handle.toolDefinitionsSorted()).toBe(handle.toolDefinitionsSorted());
  });

  it("calls a tool with a context", async () => {
    const output = await handle.callTool("alpha", '{"a":1}', new ToolContext({ conversationId: "c1" }));
    expect(output.content).toBe('{"a":1} for c1');
  });

  it("tells an unknown tool from one that failed", async () => {
    const missing = await handle.callTool("nope", "{}").catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(ToolServerError);
    expect(missing).toMatchObject({ code: "ToolNotFound", toolName: "nope" });
    const failing = await handle.callTool("Beta", "{}").catch((error: unknown) => error);
    expect(failing).toMatchObject({ code: "ToolExecution", toolName: "Beta", cause: { code: "InvalidArgument" } });
  });

  it("cannot register, not even by force", () => {
    const members = [...Object.keys(handle), ...Object.getOwnPropertyNames(Object.getPrototypeOf(handle))];
    expect(members.sort()).toEqual(["callTool", "constructor", "getTool", "toolDefinitionsSorted"]);
    expect(Object.keys(server)).toEqual([]);
  });
});
