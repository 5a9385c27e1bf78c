import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ALLOW_DESTRUCTIVE,
  type BatchCall,
  type BatchMode,
  type BatchOptions,
  type Tool,
  ToolContext,
  ToolError,
  ToolOutput,
  ToolRegistry,
  toolMeta,
} from "../src/index.js";

const MODES: readonly BatchMode[] = ["parallel", "parallel_allow_destructive", "sequential_stop_on_error"];

/** Tools by what they do; `log` has the names that ran. */
function setup() {
  const log: string[] = [];
  const registry = new ToolRegistry();
  const add = (name: string, effect: "read_only" | "mutating" | "destructive", execute: Tool["execute"]) =>
    registry.register(() => [
      toolMeta({ name, effect }),
      {
        execute: (json, context) => {
          log.push(name);
          return execute(json, context);
        },
      },
    ]);
  add("ok", "read_only", async (json) => new ToolOutput(`ok ${json}`));
  add("slow", "mutating", async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return new ToolOutput("slow");
  });
  add("fails", "mutating", async () => Promise.reject(ToolError.executionFailed("no disk")));
  add("throws", "mutating", () => {
    throw new TypeError("sync");
  });
  add("drop", "destructive", async () => new ToolOutput("dropped"));
  add("hangs", "mutating", () => new Promise<never>(() => {}));
  return { registry, log };
}

function calls(...names: string[]): BatchCall[] {
  return names.map((name, index) => ({ id: `c${index}`, name }));
}

const allowed = () => new ToolContext().setExtension(ALLOW_DESTRUCTIVE, true);

it.each<[title: string, options: BatchOptions, names: string[], statuses: string[], ran: string[]]>([
  ["nothing", {}, [], [], []],
  ["order of results is the order of calls", {}, ["slow", "ok"], ["done", "done"], ["slow", "ok"]],
  [
    "one failure loses no other",
    {},
    ["fails", "none", "throws", "ok"],
    ["failed", "failed", "failed", "done"],
    ["fails", "throws", "ok"],
  ],
  ["destructive is blocked", {}, ["drop", "ok"], ["blocked", "done"], ["ok"]],
  [
    "unless the mode allows it",
    { mode: "parallel_allow_destructive" },
    ["drop", "ok"],
    ["done", "done"],
    ["drop", "ok"],
  ],
  ["or a confirmation", { confirm: () => true }, ["drop"], ["done"], ["drop"]],
  ["or the context", { context: allowed() }, ["drop"], ["done"], ["drop"]],
  ["a no blocks", { confirm: async () => false }, ["drop"], ["blocked"], []],
  [
    "a no blocks in the mode that allows",
    { mode: "parallel_allow_destructive", confirm: () => false },
    ["drop"],
    ["blocked"],
    [],
  ],
  ["a no blocks where the context allows", { context: allowed(), confirm: () => false }, ["drop"], ["blocked"], []],
  [
    "a broken confirmation blocks",
    { confirm: () => Promise.reject(new Error("x")) },
    ["drop", "ok"],
    ["blocked", "done"],
    ["ok"],
  ],
  [
    "sequential stops at the first failure and tells of all",
    { mode: "sequential_stop_on_error" },
    ["ok", "fails", "ok", "slow"],
    ["done", "failed", "skipped", "skipped"],
    ["ok", "fails"],
  ],
  [
    "sequential guards destructive tools and stops there",
    { mode: "sequential_stop_on_error" },
    ["ok", "drop", "ok"],
    ["done", "blocked", "skipped"],
    ["ok"],
  ],
  [
    "sequential runs what is confirmed",
    { mode: "sequential_stop_on_error", confirm: () => true },
    ["drop", "ok"],
    ["done", "done"],
    ["drop", "ok"],
  ],
  [
    "sequential stops at an unknown name",
    { mode: "sequential_stop_on_error" },
    ["none", "ok"],
    ["failed", "skipped"],
    [],
  ],
])("%s", async (_, options, names, statuses, ran) => {
  const { registry, log } = setup();
  const outcomes = await registry.dispatchBatch(calls(...names), options);
  expect(outcomes.map(({ id, name, status }) => [id, name, status])).toEqual(
    statuses.map((status, index) => [`c${index}`, names[index], status]),
  );
  expect(log.sort()).toEqual(ran.sort());
});

it("keeps outcomes, places and guards for any batch", async () => {
  const name = fc.constantFrom("ok", "slow", "fails", "throws", "drop", "none");
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { maxLength: 12 }),
      fc.constantFrom(...MODES),
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      async (names, mode, concurrency) => {
        const { registry, log } = setup();
        const outcomes = await registry.dispatchBatch(calls(...names), {
          mode,
          ...(concurrency === undefined ? {} : { concurrency }),
        });
        expect(outcomes.map((outcome) => outcome.name)).toEqual(names);
        expect(outcomes.map((outcome) => outcome.id)).toEqual(names.map((_, index) => `c${index}`));
        if (mode !== "parallel_allow_destructive") expect(log).not.toContain("drop");
      },
    ),
    { numRuns: 60 },
  );
});

describe("concurrency", () => {
  it.each([
    [{ concurrency: 2 }, 2],
    [{ concurrency: 1 }, 1],
    [{ concurrency: Number.POSITIVE_INFINITY }, 6],
    [{}, 6],
    [{ mode: "sequential_stop_on_error", concurrency: 4 } as const, 1],
  ])("with %j at most %d run at once", async (options, expected) => {
    let running = 0;
    let most = 0;
    const registry = ToolRegistry.of(() => [
      toolMeta({ name: "t" }),
      {
        execute: async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 2));
          running--;
          return new ToolOutput("");
        },
      },
    ]);
    await registry.dispatchBatch(calls("t", "t", "t", "t", "t", "t"), options);
    expect(most).toBe(expected);
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses %d", async (concurrency) => {
    await expect(setup().registry.dispatchBatch([], { concurrency })).rejects.toThrow(RangeError);
  });
});

describe("abort", () => {
  it.each(MODES)("gives up what runs and starts nothing more (%s)", async (mode) => {
    const { registry, log } = setup();
    const controller = new AbortController();
    const running = registry.dispatchBatch(calls("hangs", "ok", "ok"), {
      mode,
      concurrency: 1,
      signal: controller.signal,
    });
    await new Promise((resolve) => setTimeout(resolve, 2));
    controller.abort();
    expect((await running).map((outcome) => outcome.status)).toEqual(["aborted", "skipped", "skipped"]);
    expect(log).toEqual(["hangs"]);
  });

  it("reaches the tool through its context, from the context's signal too", async () => {
    const controller = new AbortController();
    let heard = false;
    const registry = ToolRegistry.of(() => [
      toolMeta({ name: "t" }),
      {
        execute: (_, context) =>
          new Promise((_resolve, reject) => {
            context.signal.addEventListener("abort", () => {
              heard = true;
              reject(new Error("stopped"));
            });
          }),
      },
    ]);
    const running = registry.dispatchBatch(calls("t"), { context: new ToolContext({ signal: controller.signal }) });
    await Promise.resolve();
    controller.abort();
    expect((await running)[0]?.status).toBe("aborted");
    expect(heard).toBe(true);
  });

  it("runs nothing where it came first, and ends a question that nobody answers", async () => {
    const { registry, log } = setup();
    const signal = AbortSignal.abort();
    expect((await registry.dispatchBatch(calls("ok", "drop"), { signal })).map((outcome) => outcome.status)).toEqual([
      "skipped",
      "skipped",
    ]);
    const controller = new AbortController();
    const asking = registry.dispatchBatch(calls("drop", "drop"), {
      signal: controller.signal,
      confirm: () => new Promise<boolean>(() => {}),
    });
    controller.abort();
    expect((await asking).map((outcome) => outcome.status)).toEqual(["skipped", "skipped"]);
    expect(log).toEqual([]);
  });
});

it("asks one question at a time and tells what it is about", async () => {
  let open = 0;
  const seen: unknown[] = [];
  const { registry } = setup();
  await registry.dispatchBatch(calls("drop", "ok", "drop"), {
    confirm: async ({ call, index, meta, context }) => {
      expect(++open).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open--;
      seen.push([call.id, index, meta.effect, context.call?.index]);
      return true;
    },
  });
  expect(seen).toEqual([
    ["c0", 0, "destructive", 0],
    ["c2", 2, "destructive", 2],
  ]);
});

it("tells each tool which call of which batch it is", async () => {
  const seen: unknown[] = [];
  const registry = ToolRegistry.of(() => [
    toolMeta({ name: "t" }),
    {
      execute: async (_, context) => {
        seen.push(context.call);
        return new ToolOutput("");
      },
    },
  ]);
  await registry.dispatchBatch([{ name: "t" }, { id: "x", name: "t" }], { batchId: "b" });
  expect(seen).toEqual([
    { callId: "", batchId: "b", index: 0 },
    { callId: "x", batchId: "b", index: 1 },
  ]);
});
