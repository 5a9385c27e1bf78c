import { fileURLToPath } from "node:url";
import { assistantMessage, type Item, userMessage } from "@tsukumo/client";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { type CacheLocked, type Mutable, ToolServer, Worker, WorkerError } from "../src/index.js";
import { calls, ScriptedClient, type SentRequest, text } from "./scripted.js";
import { tool } from "./tools.js";

/** What a `Worker<CacheLocked>` must refuse, as code that compiles on a mutable one. */
const refused = [
  'worker.setSystemPrompt("other")',
  "worker.setConfig({})",
  "worker.setHistory([])",
  'worker.registerTool(tool("u", () => ""))',
  'worker.registerTools([tool("u", () => "")])',
  'worker.replaceTool(tool("t", () => ""))',
  'worker.unregisterTool("t")',
  'worker.addHook("OnTurnEnd", () => undefined)',
  "worker.lock()",
] as const;

describe("types", () => {
  const header = `
    import { Worker, type CacheLocked, type Mutable, type ToolServerHandle } from "../src/index.js";
    import { tool } from "./tools.js";
  `;
  const programs: Record<string, string> = {
    ...Object.fromEntries(
      refused.map((line) => [`locked: ${line}`, `declare const worker: Worker<CacheLocked>; ${line};`]),
    ),
    ...Object.fromEntries(
      refused.map((line) => [`mutable: ${line}`, `declare const worker: Worker<Mutable>; ${line};`]),
    ),
    "mutable: worker.unlock()": "declare const worker: Worker<Mutable>; worker.unlock();",
    "locked: worker.unlock()": "declare const worker: Worker<CacheLocked>; worker.unlock();",
    "locked: run, hooks' results, usage": `declare const worker: Worker<CacheLocked>;
      worker.run("x"); worker.resume(); worker.stream("x"); worker.cancel(); worker.snapshot(); worker.subscribe({});
      worker.unlock().lock().unlock().setSystemPrompt("y"); worker.setSampling({ maxTokens: 1 });`,
    "resumed: worker.setSystemPrompt": `declare const worker: Worker<Mutable> | Worker<CacheLocked>; worker.setSystemPrompt("x");`,
    "resumed: narrowed": `declare const worker: Worker<Mutable> | Worker<CacheLocked>;
      worker.run("x"); if (worker.state === "mutable") worker.setSystemPrompt("x"); else worker.unlock();`,
    "a locked worker is no mutable one":
      "declare const worker: Worker<CacheLocked>; const w: Worker<Mutable> = worker; void w;",
    "a handle registers": 'declare const handle: ToolServerHandle; handle.register([tool("t", () => "")]);',
    "the history is pushed to": 'declare const worker: Worker; worker.history.push({ type: "reasoning", text: "" });',
    "a hook decides what its point cannot":
      'declare const worker: Worker; worker.addHook("OnPromptSubmit", () => ({ action: "pause" }));',
    "a hook's meta is changed":
      'declare const worker: Worker; worker.addHook("PreToolCall", (c) => { c.meta = c.meta; });',
    "a scope without its factory":
      "declare const worker: Worker; worker.subscribe<{ n: number }>({ onTextBlock: (s) => s.n });",
    "a scope with its factory":
      "declare const worker: Worker; worker.subscribe<{ n: number }>({ newScope: () => ({ n: 0 }), onTextBlock: (s) => s.n });",
  };
  const compiles = (name: string): boolean =>
    /^mutable: (?!worker\.unlock)|^locked: (worker\.unlock|run)|narrowed$|with its factory$/.test(name);

  const here = fileURLToPath(new URL(".", import.meta.url));
  const names = Object.keys(programs);
  const files = new Map(names.map((name, at) => [`${here}program-${at}.ts`, `${header}${programs[name]}`]));
  const messages = diagnose(files, here);

  it.each(names)("%s", (name) => {
    const found = messages.get(`${here}program-${names.indexOf(name)}.ts`) ?? [];
    if (compiles(name)) expect(found).toEqual([]);
    else expect(found).toHaveLength(1);
    if (name.startsWith("locked: worker.") && !compiles(name)) {
      expect(found[0]).toContain("The 'this' context of type 'Worker<\"cache_locked\">' is not assignable");
    }
  });
});

function diagnose(files: ReadonlyMap<string, string>, folder: string): Map<string, string[]> {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.getCurrentDirectory = () => folder;
  host.fileExists = (name) => files.has(name) || fileExists.call(host, name);
  host.readFile = (name) => files.get(name) ?? readFile.call(host, name);
  host.getSourceFile = (name, version, ...rest) => {
    const source = files.get(name);
    return source === undefined
      ? getSourceFile.call(host, name, version, ...rest)
      : ts.createSourceFile(name, source, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return new Map(
    [...files.keys()].map((name) => [
      name,
      program
        .getSemanticDiagnostics(program.getSourceFile(name))
        .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")),
    ]),
  );
}

describe("a locked worker", () => {
  const forced: Record<(typeof refused)[number], (worker: Worker) => unknown> = {
    'worker.setSystemPrompt("other")': (worker) => worker.setSystemPrompt("other"),
    "worker.setConfig({})": (worker) => worker.setConfig({}),
    "worker.setHistory([])": (worker) => worker.setHistory([]),
    'worker.registerTool(tool("u", () => ""))': (worker) => worker.registerTool(tool("u", () => "")),
    'worker.registerTools([tool("u", () => "")])': (worker) => worker.registerTools([tool("u", () => "")]),
    'worker.replaceTool(tool("t", () => ""))': (worker) => worker.replaceTool(tool("t", () => "")),
    'worker.unregisterTool("t")': (worker) => worker.unregisterTool("t"),
    'worker.addHook("OnTurnEnd", () => undefined)': (worker) => worker.addHook("OnTurnEnd", () => undefined),
    "worker.lock()": (worker) => worker.lock(),
  };

  it.each(refused)("throws WrongState where it is forced: %s", (line) => {
    const worker = Worker.create(new ScriptedClient(), { systemPrompt: "p", tools: [tool("t", () => "")] });
    worker.lock();
    const error = (() => {
      try {
        forced[line](worker);
      } catch (thrown) {
        return thrown;
      }
      return undefined;
    })();
    expect(error).toBeInstanceOf(WorkerError);
    expect(error).toMatchObject({ code: "WrongState", message: expect.stringContaining("unlock()") });
    expect(worker.systemPrompt).toBe("p");
    expect(worker.toolServerHandle().toolDefinitionsSorted()).toHaveLength(1);
  });

  it("can be unlocked, changed and locked again; tools survive", async () => {
    const worker: Worker<Mutable> = Worker.create(new ScriptedClient(text("a"), text("b")), {
      tools: [tool("t", () => "")],
    });
    const locked: Worker<CacheLocked> = worker.lock();
    await locked.run("one");
    expect(locked.lockedPrefixLength).toBe(0);
    const open = locked.unlock();
    expect(() => locked.unlock()).toThrow(expect.objectContaining({ code: "WrongState" }));
    open.setSystemPrompt("new");
    const again = open.lock();
    expect(again.lockedPrefixLength).toBe(2);
    await again.run("two");
    expect(again.history).toHaveLength(4);
    expect(again.toolServerHandle().toolDefinitionsSorted()).toHaveLength(1);
  });

  it("refuses changes while it runs", async () => {
    const client = new ScriptedClient(calls(["a", "t", ""]), text("ok"));
    const codes: unknown[] = [];
    const worker: Worker = Worker.create(client, {
      tools: [
        tool("t", () => {
          for (const change of [() => worker.setSystemPrompt("x"), () => worker.setHistory([]), () => worker.lock()]) {
            try {
              change();
            } catch (error) {
              codes.push(error instanceof WorkerError && error.code);
            }
          }
          return "";
        }),
      ],
    });
    await worker.run("go");
    expect(codes).toEqual(["Busy", "Busy", "Busy"]);
  });
});

/** What a provider can cache of a request, as bytes would be: system prompt, tools, then the items. */
function prefix(request: SentRequest, items = request.items.length): string {
  return JSON.stringify([request.systemPrompt, request.tools, request.items.slice(0, items)]).slice(0, -2);
}

function expectGrowing(requests: readonly SentRequest[], ephemeral = 0): void {
  for (const [at, request] of requests.entries()) {
    const next = requests[at + 1];
    if (next !== undefined)
      expect(prefix(next)).toMatch(startingWith(prefix(request, request.items.length - ephemeral)));
  }
}

function startingWith(start: string): RegExp {
  return new RegExp(`^${start.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`);
}

describe("the locked prefix", () => {
  const script = () => [
    calls(["a", "t", '{"n":1}'], ["b", "t", '{"n":2}']),
    text("one."),
    calls(["c", "t", "{}"]),
    text("two."),
  ];

  it("is repeated by every request, over refused registrations and tools of other workers", async () => {
    const client = new ScriptedClient(...script());
    const base = Worker.create(client, { systemPrompt: "p", tools: [tool("t", () => "ok"), tool("s", () => "")] });
    const worker = base.lock();
    await worker.run("first");
    expect(() => base.registerTool(tool("a", () => ""))).toThrow();
    worker.setSampling({ temperature: 0.5 });
    await worker.run("second");
    expect(client.requests).toHaveLength(4);
    expectGrowing(client.requests);
  });

  it("allows a hook to add items at the end of one request", async () => {
    const client = new ScriptedClient(...script());
    const worker = Worker.create(client, {
      tools: [tool("t", () => "ok")],
      hooks: {
        PreLlmRequest: (context) => {
          const reminder = userMessage(`turn ${context.turn}`);
          context.request = { ...context.request, items: [...context.request.items, reminder] };
        },
      },
    }).lock();
    await worker.run("first");
    await worker.run("second");
    expectGrowing(client.requests, 1);
  });

  it.each<[string, (request: { items: readonly Item[] }) => object]>([
    ["the system prompt", () => ({ systemPrompt: "other" })],
    ["the tools", () => ({ tools: [] })],
    ["items of the history", ({ items }) => ({ items: items.slice(1) })],
    ["items of the history", ({ items }) => ({ items: [assistantMessage("new"), ...items] })],
    ["items of the history", ({ items }) => ({ items: structuredClone(items) })],
  ])("is not changed by a hook: %s", async (part, change) => {
    const client = new ScriptedClient(text("one."));
    const worker = Worker.create(client, { systemPrompt: "p", tools: [tool("t", () => "ok")] });
    worker.addHook("PreLlmRequest", (context) => {
      context.request = { ...context.request, ...change(context.request) };
    });
    await expect(worker.lock().run("first")).rejects.toMatchObject({
      code: "CachePrefixChanged",
      message: expect.stringContaining(part),
    });
    expect(client.requests).toEqual([]);
  });

  it("does not see tools that another worker registers with the same server", async () => {
    const server = new ToolServer();
    const client = new ScriptedClient(...script());
    const worker = Worker.create(client, { toolServer: server, tools: [tool("t", () => "ok")] }).lock();
    await worker.run("first");
    Worker.create(new ScriptedClient(), { toolServer: server, tools: [tool("a", () => "")] });
    await worker.run("second");
    expectGrowing(client.requests);
  });

  it("is the same in another process", async () => {
    const tools = [tool("t", () => "ok")];
    const client = new ScriptedClient(...script());
    const worker = Worker.create(client, { systemPrompt: "p", tools }).lock();
    await worker.run("first");
    const saved: unknown = JSON.parse(JSON.stringify(worker.snapshot()));
    const resumed = Worker.resume(client, Object(saved), { tools });
    expect(resumed.state).toBe("cache_locked");
    await resumed.run("second");
    expectGrowing(client.requests);
    expect(() => Worker.resume(client, Object(saved), { tools: [...tools, tool("u", () => "")] })).toThrow(
      expect.objectContaining({ code: "CachePrefixChanged" }),
    );
  });
});
