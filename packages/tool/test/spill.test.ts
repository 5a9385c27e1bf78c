import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { FileSpillSink } from "../src/spill/file.js";
import { MemorySpillSink, type SpillContext, type SpillSink, SqliteSpillSink } from "../src/spill/index.js";

const context: SpillContext = { toolName: "t", tag: "turn 1" };
const root = mkdtempSync(join(tmpdir(), "tsukumo-spill-"));
let directories = 0;
const newDirectory = () => join(root, String(++directories));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const require = createRequire(import.meta.url);

/** node:sqlite came with Node 22.5. */
function openDatabase(): ConstructorParameters<typeof SqliteSpillSink>[0] | undefined {
  try {
    const { DatabaseSync } = require("node:sqlite");
    return new DatabaseSync(":memory:");
  } catch {
    return undefined;
  }
}

const SINKS: [name: string, make: (maxBytes?: number) => SpillSink | undefined][] = [
  ["memory", (maxBytes) => new MemorySpillSink(maxBytes === undefined ? {} : { maxBytes })],
  ["files", (maxBytes) => new FileSpillSink(newDirectory(), maxBytes === undefined ? {} : { maxBytes })],
  [
    "SQLite",
    (maxBytes) => {
      const database = openDatabase();
      return database && new SqliteSpillSink(database, maxBytes === undefined ? {} : { maxBytes });
    },
  ],
];

describe.each(SINKS.filter(([, make]) => make() !== undefined))("a sink in %s", (_, make) => {
  const sinkOf = (maxBytes?: number): SpillSink => {
    const sink = make(maxBytes);
    if (sink === undefined) throw new Error("no sink");
    return sink;
  };

  it.each(["", "text", "日本\n😀", "\ufeffmark", "nul\u0000nul", "x".repeat(200_000)])(
    "gives back what it got (%#)",
    async (text) => {
      const sink = sinkOf();
      const ref = await sink.spill(context, text);
      expect(ref).toMatch(/^[\w-]+$/);
      expect(await sink.recall(ref)).toBe(text);
    },
  );

  it("knows nothing under other references", async () => {
    const sink = sinkOf();
    const ref = await sink.spill(context, "secret");
    for (const other of [
      "",
      "x",
      ".",
      "..",
      "../x",
      "/etc/passwd",
      `${ref}.part`,
      `./${ref}`,
      ref.toUpperCase(),
      "' OR 1=1 --",
    ])
      expect(await sink.recall(other)).toBeUndefined();
  });

  it("refuses what is too large, by bytes", async () => {
    const sink = sinkOf(5);
    await sink.spill(context, "12345");
    await expect((async () => sink.spill(context, "日本"))()).rejects.toMatchObject({
      name: "SpillError",
      code: "CapacityExceeded",
      limit: 5,
      attempted: 6,
    });
  });

  it("keeps many at once apart", async () => {
    const sink = sinkOf();
    const texts = Array.from({ length: 40 }, (_, index) => `output ${index}`);
    const refs = await Promise.all(texts.map(async (text) => sink.spill(context, text)));
    expect(new Set(refs).size).toBe(40);
    expect(await Promise.all(refs.map(async (ref) => sink.recall(ref)))).toEqual(texts);
  });
});

describe("memory", () => {
  it("gives up the least recently used", () => {
    const sink = new MemorySpillSink({ maxBytes: 10 });
    const [a, b] = [sink.spill(context, "aaaa"), sink.spill(context, "bbbb")];
    expect(sink.recall(a)).toBe("aaaa");
    const c = sink.spill(context, "cccc");
    expect([a, b, c].map((ref) => sink.recall(ref))).toEqual(["aaaa", undefined, "cccc"]);
    expect(sink.delete(a)).toBe(true);
    expect(sink.delete(a)).toBe(false);
    expect(sink.size).toBe(1);
  });

  it("keeps so many outputs", () => {
    const sink = new MemorySpillSink({ maxEntries: 2 });
    const refs = ["a", "b", "c"].map((text) => sink.spill(context, text));
    expect(refs.map((ref) => sink.recall(ref))).toEqual([undefined, "b", "c"]);
  });
});

describe("files", () => {
  it.skipIf(process.platform === "win32")("are for their owner alone", async () => {
    const directory = newDirectory();
    const ref = await new FileSpillSink(directory).spill(context, "x");
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, ref)).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual([ref]);
  });

  it("together stay below the limit, spills in flight included", async () => {
    const directory = newDirectory();
    const sink = new FileSpillSink(directory, { maxTotalBytes: 100 });
    const done = await Promise.allSettled(Array.from({ length: 20 }, () => sink.spill(context, "x".repeat(30))));
    expect(done.some(({ status }) => status === "rejected")).toBe(true);
    expect(readdirSync(directory).length).toBeLessThanOrEqual(3);
    await expect(
      new FileSpillSink(directory, { maxTotalBytes: 10 }).spill(context, "x".repeat(11)),
    ).rejects.toMatchObject({
      code: "CapacityExceeded",
    });
  });

  it("that cannot be written say so and leave nothing", async () => {
    const path = newDirectory();
    writeFileSync(path, "a file, no directory");
    await expect(new FileSpillSink(path).spill(context, "x")).rejects.toMatchObject({ code: "StorageFailed" });
    await expect(new FileSpillSink(path).recall(`obs-${"0".repeat(32)}`)).rejects.toMatchObject({
      code: "StorageFailed",
    });
  });

  it("are swept by age, and only those that are the sink's", async () => {
    const directory = newDirectory();
    const sink = new FileSpillSink(directory);
    expect(await sink.sweep(0)).toBe(0);
    const [old, fresh] = [await sink.spill(context, "old"), await sink.spill(context, "new")];
    const part = `obs-${"0".repeat(32)}.part`;
    for (const name of [part, "notes.txt"]) writeFileSync(join(directory, name), "");
    for (const name of [old, part, "notes.txt"]) utimesSync(join(directory, name), 0, 0);
    expect(await sink.sweep(60_000)).toBe(2);
    expect(readdirSync(directory).sort()).toEqual(["notes.txt", fresh].sort());
  });

  it("are whole or not there, however the process dies", async () => {
    const module = new URL("../dist/spill/file.js", import.meta.url);
    expect(existsSync(module), "packages/tool is built").toBe(true);
    const directory = newDirectory();
    const script = join(root, "spill.mjs");
    writeFileSync(
      script,
      `import { FileSpillSink } from ${JSON.stringify(module.href)};
       const sink = new FileSpillSink(${JSON.stringify(directory)});
       const text = "begin" + "x".repeat(3_000_000) + "end";
       console.log("ready");
       for (;;) await Promise.all([1, 2, 3].map(() => sink.spill({ toolName: "t" }, text)));`,
    );
    let outputs = 0;
    for (const delay of [3, 9, 17, 26, 40, 61, 900]) {
      const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, delay));
      child.kill("SIGKILL");
      await once(child, "exit");
      const sink = new FileSpillSink(directory);
      for (const name of existsSync(directory) ? readdirSync(directory) : []) {
        const text = await sink.recall(name);
        if (text === undefined) continue;
        outputs++;
        expect([text.length, text.slice(0, 5), text.slice(-3)]).toEqual([3_000_008, "begin", "end"]);
      }
    }
    expect(outputs).toBeGreaterThan(0);
  });
});

describe.skipIf(openDatabase() === undefined)("SQLite", () => {
  it("gives up the oldest, and finds the rest again", () => {
    const database = openDatabase();
    if (database === undefined) return;
    const sink = new SqliteSpillSink(database, { maxTotalBytes: 10 });
    const refs = ["aaaa", "bbbb", "cccc"].map((text) => sink.spill(context, text));
    const again = new SqliteSpillSink(database);
    expect(refs.map((ref) => again.recall(ref))).toEqual([undefined, "bbbb", "cccc"]);
    expect(database.prepare("SELECT tool, tag, bytes FROM tsukumo_spill").get()).toMatchObject({ tool: "t", bytes: 4 });
  });
});

it("SQLite that fails is StorageFailed", () => {
  let calls = 0;
  const database = {
    exec: () => undefined,
    prepare: () => {
      throw new Error(`disk full ${++calls}`);
    },
  };
  const sink = new SqliteSpillSink(database);
  expect(() => sink.spill(context, "x")).toThrow(expect.objectContaining({ code: "StorageFailed" }));
  expect(() => sink.recall("x")).toThrow("disk full 2");
});

it("no module but the file sink needs Node", () => {
  const seen = new Map<string, string>();
  const visit = (url: URL): void => {
    if (seen.has(url.href)) return;
    const source = readFileSync(url, "utf8");
    seen.set(url.href, source);
    for (const [, path] of source.matchAll(/from "(\.[^"]+)\.js"/g)) visit(new URL(`${path}.ts`, url));
  };
  for (const entry of [
    "index",
    "runtime/index",
    "dialect/index",
    "adapters/index",
    "sanitize/index",
    "spill/index",
    "truncation/index",
  ])
    visit(new URL(`../src/${entry}.ts`, import.meta.url));
  expect(seen.has(pathToFileURL(join(import.meta.dirname, "../src/spill/file.ts")).href)).toBe(false);
  for (const [url, source] of seen)
    expect(
      source.match(/from "node:[^"]*"|\b(?:Buffer|process|require|global|setImmediate)\b[.(]/)?.[0],
      url,
    ).toBeUndefined();
});
