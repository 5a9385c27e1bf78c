/** The tools that run now, on the last line of a terminal: a sign of life, and how long each has run. */

export interface SpinnerOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width of the terminal; some say 0 where they do not know. */
  readonly columns?: number;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const FRAME_MS = 80;
const DEFAULT_COLUMNS = 80;
const ERASE_LINE = "\r\u001b[2K";

interface Running {
  readonly name: string;
  readonly since: number;
}

export class ToolSpinner {
  readonly #output: SpinnerOutput;
  readonly #running = new Map<string, Running>();
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  #shown = false;
  #held = false;

  constructor(output: SpinnerOutput) {
    this.#output = output;
  }

  start(callId: string, name: string): void {
    this.#running.set(callId, { name, since: performance.now() });
    if (this.#output.isTTY !== true) return;
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS);
    this.#draw();
  }

  /** How many milliseconds the tool ran; undefined for one that was not started. */
  stop(callId: string): number | undefined {
    const running = this.#running.get(callId);
    if (running === undefined) return undefined;
    this.#running.delete(callId);
    if (this.#running.size === 0) this.clear();
    return performance.now() - running.since;
  }

  /** Makes room for a text; the line comes back after it, unless the text leaves its own line open. */
  print(text: string): void {
    this.#erase();
    this.#output.write(text);
    this.#held = !text.endsWith("\n");
  }

  /** Takes the line away and forgets what runs. */
  clear(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#running.clear();
    this.#erase();
  }

  #draw(): void {
    if (this.#held) return;
    const now = performance.now();
    const tools = [...this.#running.values()].map(({ name, since }) => `${name} ${seconds(now - since)}`).join(", ");
    const line = `${FRAMES[this.#frame++ % FRAMES.length]} ${tools}`;
    // A line that wraps could not be erased.
    const width = (this.#output.columns || DEFAULT_COLUMNS) - 1;
    this.#output.write(ERASE_LINE + (line.length > width ? `${line.slice(0, width - 1)}…` : line));
    this.#shown = true;
  }

  #erase(): void {
    if (!this.#shown) return;
    this.#shown = false;
    this.#output.write(ERASE_LINE);
  }
}

/** `0.4 s`, `12.0 s`, `2 min 5 s` */
function seconds(ms: number): string {
  const whole = Math.floor(ms / 1000);
  return whole < 60 ? `${(Math.floor(ms / 100) / 10).toFixed(1)} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** How long something took: `340 ms`, `12.0 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : seconds(ms);
}
