/** A run as a person reads it: text as it streams, calls as they are written, tools while they run, results, usage. */
import type { Usage } from "@tsukumo/client";
import type { RunResult, WorkerEvent } from "@tsukumo/worker";
import { duration, type SpinnerOutput, ToolSpinner } from "./tool-spinner.js";

/** What of a `WorkerStream` is shown. */
export type RunEvents = AsyncIterable<WorkerEvent> & { readonly result: Promise<RunResult> };

export interface RenderOptions {
  /** Show thinking too. Default true. */
  readonly thinking?: boolean;
  /** Longer results are cut for the eye; the model gets the whole. Default 400 characters. */
  readonly maxResult?: number;
}

/**
 * Writes the run until it ends, also by an error, and gives its result. Someone who ends the process in between calls
 * `spinner.clear()`, so that the shell gets a clean line.
 * @throws what the run throws
 */
export async function renderRun(
  stream: RunEvents,
  output: SpinnerOutput,
  options: RenderOptions = {},
  spinner = new ToolSpinner(output),
): Promise<RunResult> {
  const renderer = new RunRenderer(output, options, spinner);
  try {
    for await (const event of stream) renderer.show(event);
  } finally {
    renderer.end();
  }
  return stream.result;
}

type Style = "dim" | "bold" | "red" | "green" | "cyan" | "yellow";

const CODES: Readonly<Record<Style, string>> = {
  dim: "2",
  bold: "1",
  red: "31",
  green: "32",
  cyan: "36",
  yellow: "33",
};

class RunRenderer {
  readonly #output: SpinnerOutput;
  readonly #options: RenderOptions;
  readonly #spinner: ToolSpinner;
  /** Milliseconds that each tool took. */
  readonly #took = new Map<string, number>();
  /** What a call's line has shown so far is its name alone. */
  readonly #bare = new Set<string>();
  /** Which call's arguments the current line holds. */
  #open: string | undefined;
  #atLineStart = true;

  constructor(output: SpinnerOutput, options: RenderOptions, spinner: ToolSpinner) {
    this.#output = output;
    this.#options = options;
    this.#spinner = spinner;
  }

  show(event: WorkerEvent): void {
    switch (event.type) {
      case "text_start":
        this.#newLine();
        break;
      case "text_delta":
        this.#write(event.text);
        break;
      case "refusal_delta":
        this.#write(this.#style("yellow", event.text));
        break;
      case "thinking_start":
        if (this.#options.thinking !== false) this.#newLine();
        break;
      case "thinking_delta":
        if (this.#options.thinking !== false) this.#write(this.#style("dim", event.text));
        break;
      case "tool_call_start":
        this.#newLine();
        this.#write(`${this.#style("cyan", "→")} ${this.#style("bold", event.name)} `);
        this.#open = event.callId;
        this.#bare.add(event.callId);
        break;
      case "tool_call_delta":
        if (this.#open !== event.callId) break;
        this.#bare.delete(event.callId);
        this.#write(this.#style("dim", event.text));
        break;
      case "tool_call_complete":
        if (this.#bare.delete(event.call.callId)) this.#write(this.#style("dim", event.call.arguments || "{}"));
        this.#newLine();
        break;
      case "tool_start":
        this.#newLine();
        this.#spinner.start(event.call.callId, event.call.name);
        break;
      case "tool_end": {
        const took = this.#spinner.stop(event.call.callId);
        if (took !== undefined) this.#took.set(event.call.callId, took);
        break;
      }
      case "tool_result":
        this.#result(event);
        break;
      case "usage":
        this.#line(this.#style("dim", `[${usageText(event.usage)}]`));
        break;
      case "block_abort":
        this.#line(this.#style("red", `(broken off: ${event.reason})`));
        break;
      case "error":
        this.#line(this.#style("red", `The provider says: ${event.error.message}`));
        break;
      case "retry":
        this.#line(
          this.#style(
            "yellow",
            `Trying again in ${Math.round(event.notice.delayMs)} ms (attempt ${event.notice.attempt} failed)`,
          ),
        );
        break;
      case "continuation":
        this.#line(this.#style("yellow", `The answer broke off; asking for the rest (${event.attempt})`));
        break;
      case "warning":
        this.#line(this.#style("yellow", `Warning: ${event.warning.message}`));
        break;
      case "finished":
        this.#finished(event.result);
        break;
      case "turn_start":
      case "turn_end":
      case "text_complete":
      case "thinking_complete":
      case "status":
        break;
    }
  }

  end(): void {
    this.#spinner.clear();
    this.#newLine();
  }

  #result({ call, result }: Extract<WorkerEvent, { type: "tool_result" }>): void {
    const took = this.#took.get(call.callId);
    const time = took === undefined ? "" : ` ${duration(took)}`;
    const mark = result.isError ? this.#style("red", "✗") : this.#style("green", "✓");
    const text = typeof result.content === "string" ? result.content : JSON.stringify(result.content);
    const max = this.#options.maxResult ?? 400;
    const shown = text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text;
    this.#line(`${mark} ${call.name}${this.#style("dim", time)}: ${shown}`);
  }

  #finished(result: RunResult): void {
    if (result.status !== "finished") this.#line(this.#style("yellow", `The run ended: ${result.status}`));
    const turns = result.turns === 1 ? "1 turn" : `${result.turns} turns`;
    this.#line(this.#style("dim", `[total of ${turns}: ${usageText(result.usage)}]`));
  }

  #line(text: string): void {
    this.#newLine();
    this.#write(`${text}\n`);
  }

  #newLine(): void {
    this.#open = undefined;
    if (!this.#atLineStart) this.#write("\n");
  }

  #write(text: string): void {
    if (text === "") return;
    this.#spinner.print(text);
    this.#atLineStart = text.endsWith("\n");
  }

  #style(style: Style, text: string): string {
    return this.#output.isTTY === true ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
  }
}

function usageText(usage: Usage): string {
  const parts = [`${usage.inputTokens ?? 0} tokens in`, `${usage.outputTokens ?? 0} out`];
  if (usage.cacheReadTokens) parts.push(`${usage.cacheReadTokens} from cache`);
  if (usage.reasoningTokens) parts.push(`${usage.reasoningTokens} reasoning`);
  return parts.join(", ");
}
