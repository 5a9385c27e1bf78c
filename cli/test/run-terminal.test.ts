/** What a person sees of a run, on a terminal and in a file. */

import { eventTurn, scriptedClient } from "@tsukumo/testing";
import { ToolError, ToolOutput, toolMeta } from "@tsukumo/tool";
import { Worker } from "@tsukumo/worker";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderRun } from "../src/terminal.js";
import { ToolSpinner } from "../src/tool-spinner.js";

const ESCAPE = "\u001b";
const TOKEN = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z]|[^]`, "gu");

/** A terminal that knows what the command writes: new lines, returns, erased lines; colours are left out. */
class Screen {
  readonly isTTY: boolean;
  readonly columns: number;
  written = "";

  constructor(isTTY = true, columns = 60) {
    this.isTTY = isTTY;
    this.columns = columns;
  }

  write(text: string): void {
    this.written += text;
  }

  get lines(): string[] {
    const lines = [""];
    let column = 0;
    for (const [token] of this.written.matchAll(TOKEN)) {
      const last = lines.length - 1;
      if (token === "\n") {
        lines.push("");
        column = 0;
      } else if (token === "\r") column = 0;
      else if (token === "\u001b[2K") lines[last] = "";
      else if (token.startsWith("\u001b[") && token.endsWith("m")) continue;
      else if (token.startsWith("\u001b")) throw new Error(`The screen does not know ${JSON.stringify(token)}`);
      else {
        const line = lines[last] ?? "";
        lines[last] = line.slice(0, column).padEnd(column) + token + line.slice(column + 1);
        column += 1;
      }
    }
    return lines;
  }
}

const calls = eventTurn({
  text: "Let me look.",
  toolCalls: [
    { id: "a", name: "slow", args: { n: 1 } },
    { id: "b", name: "slower" },
  ],
});

/** Two tools that take 1.5 s and 65 s, then an answer. */
function worker(turns = [calls, eventTurn({ text: "Done." })]) {
  const takes = (name: string, ms: number) => () =>
    [
      toolMeta({ name }),
      {
        execute: () =>
          new Promise<ToolOutput>((resolve, reject) => {
            setTimeout(
              () =>
                ms > 60_000 ? reject(new ToolError("ExecutionFailed", "no luck")) : resolve(ToolOutput.from("found")),
              ms,
            );
          }),
      },
    ] as const;
  return Worker.create(scriptedClient(turns), { tools: [takes("slow", 1500), takes("slower", 65_000)] });
}

const CLEAR = "\r\u001b[2K";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("on a terminal", () => {
  it("tools turn while they run, with the time so far; their line gives way to results", async () => {
    const screen = new Screen();
    const rendered = renderRun(worker().stream("go"), screen);
    await vi.advanceTimersByTimeAsync(0);
    expect(screen.lines.slice(0, -1)).toEqual([
      "Let me look.",
      '→ slow {"n":1}',
      "→ slower {}",
      "[10 tokens in, 5 out]",
    ]);
    const first = screen.lines.at(-1);
    expect(first).toMatch(/^\S slow 0\.0 s(, slower 0\.0 s)?$/u);

    await vi.advanceTimersByTimeAsync(1000);
    expect(screen.lines.at(-1)).toMatch(/^\S slow 0\.9 s, slower 0\.9 s$/u);
    expect(screen.lines.at(-1)?.[0]).not.toBe(first?.[0]);
    expect(screen.lines).toHaveLength(5);

    await vi.advanceTimersByTimeAsync(60_000);
    expect(screen.lines.at(-1)).toMatch(/^\S slower 1 min 0 s$/u);

    await vi.advanceTimersByTimeAsync(10_000);
    expect(await rendered).toMatchObject({ status: "finished", text: "Done." });
    const shown = screen.lines.filter((line) => !line.startsWith("["));
    expect(shown).toEqual([
      "Let me look.",
      '→ slow {"n":1}',
      "→ slower {}",
      "✓ slow 1.5 s: found",
      expect.stringMatching(/^✗ slower 1 min 5 s: .*no luck/),
      "Done.",
      "",
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is clean after Ctrl-C", async () => {
    const screen = new Screen();
    const running = worker();
    const rendered = renderRun(running.stream("go"), screen);
    const failed = expect(rendered).rejects.toMatchObject({ code: "Cancelled" });
    await vi.advanceTimersByTimeAsync(500);
    expect(screen.lines.at(-1)).toContain("slow 0.4 s");
    running.cancel("interrupted");
    await vi.advanceTimersByTimeAsync(0);
    await failed;
    expect(screen.lines.at(-1)).toBe("");
    expect(screen.lines.join("\n")).not.toContain("slow 0.");
    const { written } = screen;
    await vi.advanceTimersByTimeAsync(1000);
    expect(screen.written).toBe(written);
  });

  it("is clean when the process ends while tools run", async () => {
    const screen = new Screen();
    const spinner = new ToolSpinner(screen);
    const running = worker();
    const rendered = renderRun(running.stream("go"), screen, {}, spinner).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(500);
    spinner.clear();
    expect(screen.written.endsWith(CLEAR)).toBe(true);
    const { written } = screen;
    await vi.advanceTimersByTimeAsync(500);
    expect(screen.written).toBe(written);
    running.cancel();
    await vi.advanceTimersByTimeAsync(0);
    await rendered;
  });
});

describe("the spinner", () => {
  it.each([
    [20, "⠋ a_tool_with_a_lo…"],
    [80, "⠋ a_tool_with_a_long_name 0.0 s"],
    [0, "⠋ a_tool_with_a_long_name 0.0 s"],
  ])("never wraps: %i columns", (columns, line) => {
    const screen = new Screen(true, columns);
    const spinner = new ToolSpinner(screen);
    spinner.start("1", "a_tool_with_a_long_name");
    expect(screen.lines).toEqual([line]);
    spinner.clear();
  });

  it("waits while a text leaves its line open", () => {
    const screen = new Screen();
    const spinner = new ToolSpinner(screen);
    spinner.start("1", "t");
    spinner.print("half ");
    vi.advanceTimersByTime(200);
    expect(screen.lines).toEqual(["half "]);
    spinner.print("a line\n");
    vi.advanceTimersByTime(200);
    expect(screen.lines).toEqual(["half a line", expect.stringMatching(/^\S t 0\.\d s$/u)]);
    expect(spinner.stop("1")).toBe(400);
    expect(spinner.stop("1")).toBeUndefined();
    expect(screen.lines).toEqual(["half a line", ""]);
  });
});

it("in a file: plain lines with the time, no colours, nothing that moves", async () => {
  const file = new Screen(false);
  const rendered = renderRun(worker().stream("go"), file);
  await vi.advanceTimersByTimeAsync(70_000);
  await rendered;
  for (const moving of [ESCAPE, "\r", "⠋"]) expect(file.written).not.toContain(moving);
  expect(file.lines.slice(1, 6)).toEqual([
    '→ slow {"n":1}',
    "→ slower {}",
    "[10 tokens in, 5 out]",
    "✓ slow 1.5 s: found",
    expect.stringMatching(/^✗ slower 1 min 5 s: .*no luck/),
  ]);
});
