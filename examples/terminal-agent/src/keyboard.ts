/** Lines that a person types, or that come through a pipe, one for each question. */
import { createInterface } from "node:readline";

export class Keyboard {
  readonly #readline = createInterface({ input: process.stdin, output: process.stdout });
  readonly #lines = this.#readline[Symbol.asyncIterator]();
  #next: Promise<string | undefined> | undefined;

  /** @param onInterrupt called for Ctrl-C */
  constructor(onInterrupt: () => void) {
    // On a terminal, readline reads Ctrl-C as a key; otherwise it is a signal.
    this.#readline.on("SIGINT", onInterrupt);
    process.on("SIGINT", onInterrupt);
  }

  /** The next line; undefined when there are no more. */
  async ask(question: string): Promise<string | undefined> {
    this.#readline.setPrompt(question);
    this.#readline.prompt();
    // A question that was given up leaves its line to the next one.
    this.#next ??= this.#lines.next().then(({ done, value }) => (done ? undefined : value));
    const line = await this.#next;
    this.#next = undefined;
    return line;
  }

  close(): void {
    this.#readline.close();
  }
}
