/** A run as a person reads it: text as it streams, calls as they are written, results, usage. */
import type { Usage } from "@tsukumo/client";
import type { RunResult, WorkerEvent, WorkerStream } from "@tsukumo/worker";

export interface TerminalOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export interface RenderOptions {
  /** Show thinking too. Default true. */
  readonly thinking?: boolean;
  /** Longer results are cut for the eye; the model gets the whole. Default 400 characters. */
  readonly maxResult?: number;
}

/** Writes the run until it ends and gives its result. @throws what the run throws */
export async function renderRun(
  stream: WorkerStream,
  output: TerminalOutput,
  options: RenderOptions = {},
): Promise<RunResult> {
  const renderer = new RunRenderer(output, options);
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
  readonly #output: TerminalOutput;
  readonly #options: RenderOptions;
  /** When each running tool began, by call id. */
  readonly #started = new Map<string, number>();
  /** Milliseconds that each tool took. */
  readonly #took = new Map<string, number>();
  /** What a call's line has shown so far is its name alone. */
  readonly #bare = new Set<string>();
  /** Which call's arguments the current line holds. */
  #open: string | undefined;
  #atLineStart = true;

  constructor(output: TerminalOutput, options: RenderOptions) {
    this.#output = output;
    this.#options = options;
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
        this.#started.set(event.call.callId, performance.now());
        break;
      case "tool_end":
        this.#took.set(
          event.call.callId,
          performance.now() - (this.#started.get(event.call.callId) ?? performance.now()),
        );
        break;
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
    this.#newLine();
  }

  #result({ call, result }: Extract<WorkerEvent, { type: "tool_result" }>): void {
    const took = this.#took.get(call.callId);
    const time = took === undefined ? "" : ` ${Math.round(took)} ms`;
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
    this.#output.write(text);
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
