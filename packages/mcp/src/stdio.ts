/** The stdio transport of the SDK, without its listeners on an output that is full: two for each message that waits. */
import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, serializeMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const DONE = Promise.resolve();

export class StdioTransport extends StdioServerTransport {
  readonly #output: Writable;
  /** While the output is full. */
  #drained: Promise<void> | undefined;
  #isClosed = false;

  constructor(input: Readable, output: Writable, options: { readonly maxBufferSize?: number }) {
    super(input, output, options);
    this.#output = output;
  }

  /** Resolves when the output takes more. Its failures are told by `onerror`, and close the connection. */
  override send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("The connection is closed; nothing can be sent."));
    // Not several messages in one write: a client reads the first while the next is being answered.
    if (!this.#output.write(serializeMessage(message))) this.#drained ??= this.#drain();
    return this.#drained ?? DONE;
  }

  /** Resolves when what was sent before is written, or cannot be, or `maxMs` are over. */
  async flushed(maxMs: number): Promise<void> {
    if (this.#output.writableLength === 0 || this.#output.destroyed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      this.#output.write("", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  override close(): Promise<void> {
    this.#isClosed = true;
    return super.close();
  }

  #drain(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#output.off("drain", end).off("close", end);
        this.#drained = undefined;
        resolve();
      };
      this.#output.on("drain", end).on("close", end);
    });
  }
}
