/** The Tasks extension, as it goes over the wire. @see https://modelcontextprotocol.io/seps/2663-tasks-extension */
import { McpError, type McpFetch, McpServer, McpSession, type TaskOptions } from "@tsukumo/mcp";
import { type ToolContext, type ToolDefinition, ToolOutput, ToolRegistry, toolMeta } from "@tsukumo/tool";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type RpcAnswer, rpc, type Served, serve } from "./connect.js";

const KNOWS = { extensions: { "io.modelcontextprotocol/tasks": {} }, elicitation: { form: {} } };
const QUESTION = {
  message: "Name?",
  requestedSchema: {
    type: "object" as const,
    properties: { name: { type: "string" as const } },
    required: ["name"],
  },
};

class Gate {
  readonly opened: Promise<void>;
  open: () => void = () => {};

  constructor() {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

const open: Served[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const served of open.splice(0)) await served.close();
});

function serveJobs(taskOptions: TaskOptions = {}) {
  const gate = new Gate();
  const aborted: unknown[] = [];
  const job = (name: string, execute: (context: ToolContext) => Promise<string>): ToolDefinition => {
    const meta = toolMeta({ name, inputSchema: { type: "object" } });
    return () => [meta, { execute: async (_, context) => new ToolOutput(await execute(context)) }];
  };
  const registry = ToolRegistry.of(
    job("waits", async ({ signal }) => {
      signal.addEventListener("abort", () => aborted.push(signal.reason));
      await gate.opened;
      return "done";
    }),
    job("fails", async () => {
      throw new Error("no luck");
    }),
    job("breaks", async () => {
      throw new McpError(-32603, "broken");
    }),
    job("asks", async (context) => {
      const answer = await context.extension(McpSession)?.elicit(QUESTION, { key: "name" });
      return `${answer?.action} ${JSON.stringify(answer?.content)}`;
    }),
    job("becomes", async (context) => {
      context.extension(McpSession)?.startTask();
      await gate.opened;
      return "done later";
    }),
    job("plain", async () => "plain"),
  );
  const server = McpServer.builder("jobs", "1", registry)
    .withOptions({
      taskOptions,
      tasks: { waits: "optional", fails: "required", breaks: "optional", asks: "optional", becomes: "asked" },
    })
    .build();
  const served = serve(server);
  open.push(served);
  return { handler: served.handler, gate, aborted };
}

async function start(handler: McpFetch, name: string): Promise<string> {
  const { result } = await rpc(handler, "tools/call", { name, arguments: {} }, KNOWS);
  expect(result).toMatchObject({ resultType: "task", taskId: expect.any(String) });
  return String(result?.taskId);
}

const get = (handler: McpFetch, taskId: string): Promise<RpcAnswer> => rpc(handler, "tasks/get", { taskId }, KNOWS);

describe("a task", () => {
  it("is made, works, and gives its result again and again", async () => {
    const { handler, gate } = serveJobs({ ttlMs: 60_000, pollIntervalMs: 20 });
    const taskId = await start(handler, "waits");
    expect((await get(handler, taskId)).result).toMatchObject({
      taskId,
      status: "working",
      ttlMs: 60_000,
      pollIntervalMs: 20,
    });
    expect((await get(handler, taskId)).result).not.toHaveProperty("result");
    gate.open();
    await expect.poll(async () => (await get(handler, taskId)).result?.status).toBe("completed");
    for (let n = 0; n < 2; n++)
      expect((await get(handler, taskId)).result?.result).toMatchObject({ content: [{ type: "text", text: "done" }] });
  });

  it.each([
    ["fails", { status: "completed", result: { isError: true, content: [{ text: "no luck" }] } }],
    ["breaks", { status: "failed", error: { code: -32603, message: "broken" } }],
  ])("whose tool %s says how it ended", async (name, end) => {
    const { handler } = serveJobs();
    const taskId = await start(handler, name);
    await expect.poll(async () => (await get(handler, taskId)).result).toMatchObject(end);
  });

  it("that is cancelled tells its tool and stays cancelled", async () => {
    const { handler, gate, aborted } = serveJobs();
    const taskId = await start(handler, "waits");
    expect((await rpc(handler, "tasks/cancel", { taskId }, KNOWS)).error).toBeUndefined();
    expect(aborted).toHaveLength(1);
    gate.open();
    await rpc(handler, "tasks/cancel", { taskId }, KNOWS);
    expect((await get(handler, taskId)).result).toMatchObject({ status: "cancelled" });
    expect((await get(handler, taskId)).result).not.toHaveProperty("result");
  });

  it("asks, and goes on when it is answered in the right shape", async () => {
    const { handler } = serveJobs();
    const taskId = await start(handler, "asks");
    await expect
      .poll(async () => (await get(handler, taskId)).result)
      .toMatchObject({ status: "input_required", inputRequests: { name: { method: "elicitation/create" } } });
    const answer = (inputResponses: object) => rpc(handler, "tasks/update", { taskId, inputResponses }, KNOWS);
    await answer({ other: { action: "accept", content: {} }, name: { roots: [] } });
    expect((await get(handler, taskId)).result).toMatchObject({ status: "input_required" });
    await answer({ name: { action: "accept", content: { name: "Ada" } } });
    await expect
      .poll(async () => (await get(handler, taskId)).result)
      .toMatchObject({ status: "completed", result: { content: [{ text: 'accept {"name":"Ada"}' }] } });
  });

  it("that is cancelled while it asks is over", async () => {
    const { handler } = serveJobs();
    const taskId = await start(handler, "asks");
    await expect.poll(async () => (await get(handler, taskId)).result?.status).toBe("input_required");
    await rpc(handler, "tasks/cancel", { taskId }, KNOWS);
    expect((await get(handler, taskId)).result).toMatchObject({ status: "cancelled" });
    expect((await get(handler, taskId)).result).not.toHaveProperty("inputRequests");
  });

  it("may be made by its tool in the middle of a call", async () => {
    const { handler, gate } = serveJobs();
    const taskId = await start(handler, "becomes");
    gate.open();
    await expect
      .poll(async () => (await get(handler, taskId)).result)
      .toMatchObject({ status: "completed", result: { content: [{ text: "done later" }] } });
  });

  it("expires a while after its end, and not before its end", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    const { handler, gate } = serveJobs({ ttlMs: 5_000 });
    const ended = await start(handler, "fails");
    const working = await start(handler, "waits");
    await expect.poll(async () => (await get(handler, ended)).result?.status).toBe("completed");
    vi.setSystemTime(1_005_000);
    expect((await get(handler, ended)).result?.status).toBe("completed");
    vi.setSystemTime(1_005_001);
    expect((await get(handler, ended)).error?.code).toBe(-32602);
    expect((await get(handler, working)).result?.status).toBe("working");
    gate.open();
  });

  it("is refused where there are too many, until one expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    const { handler } = serveJobs({ ttlMs: 5_000, maxTasks: 1 });
    const first = await start(handler, "fails");
    await expect.poll(async () => (await get(handler, first)).result?.status).toBe("completed");
    const refused = await rpc(handler, "tools/call", { name: "fails", arguments: {} }, KNOWS);
    expect(refused.error).toMatchObject({ code: -32603, message: expect.stringContaining("try again later") });
    vi.setSystemTime(1_006_000);
    await start(handler, "fails");
  });
});

describe("without the extension", () => {
  it.each([
    ["plain", "plain"],
    ["optional", "waits"],
  ])("a tool served as a task or not (%s) is an ordinary call", async (_, name) => {
    const { handler, gate } = serveJobs();
    gate.open();
    const { result } = await rpc(handler, "tools/call", { name, arguments: {} });
    expect(result).toMatchObject({ resultType: "complete", content: [{ type: "text" }] });
  });

  it.each(["fails", "becomes"])("the tool %s, which needs it, is refused", async (name) => {
    const { handler } = serveJobs();
    const { error } = await rpc(handler, "tools/call", { name, arguments: {} });
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { extensions: {} } } });
  });

  it.each(["tasks/get", "tasks/update", "tasks/cancel"])("%s is refused", async (method) => {
    const { handler } = serveJobs();
    const taskId = await start(handler, "waits");
    expect((await rpc(handler, method, { taskId, inputResponses: {} })).error?.code).toBe(-32021);
  });
});

it.each([
  ["an unknown task", { taskId: "no" }],
  ["no task", {}],
  ["a task that is no text", { taskId: 1 }],
])("asking for %s is an error", async (_, params) => {
  const { handler } = serveJobs();
  expect((await rpc(handler, "tasks/get", params, KNOWS)).error?.code).toBe(-32602);
});

it("a task is its caller's own", async () => {
  const meta = toolMeta({ name: "job", inputSchema: { type: "object" } });
  const registry = ToolRegistry.of(() => [meta, { execute: async () => new ToolOutput("mine") }]);
  const server = McpServer.builder("jobs", "1", registry)
    .withOptions({ tasks: { job: "optional" } })
    .build();
  const served = serve(server, {
    bearer: { verify: async (token) => ({ clientId: token, scopes: [] }) },
  });
  open.push(served);
  const as = (token: string): McpFetch => ({
    fetch: (request) => {
      request.headers.set("authorization", `Bearer ${token}`);
      return served.handler.fetch(request);
    },
    stop: () => served.handler.stop(),
  });
  const taskId = await start(as("ada"), "job");
  expect((await get(as("bob"), taskId)).error?.code).toBe(-32602);
  expect((await rpc(as("bob"), "tasks/cancel", { taskId }, KNOWS)).error?.code).toBe(-32602);
  await expect
    .poll(async () => (await get(as("ada"), taskId)).result)
    .toMatchObject({ status: "completed", result: { content: [{ text: "mine" }] } });
});
