/** The stdio transport of the SDK, except that the answers of one turn of the loop leave in one write. */
import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, serializeMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

interface Batch {
  text: string;
  readonly written: Promise<void>;
}

/** A write costs as much as a short call; and the SDK's own `send` leaves listeners on an output that is full. */
export class BatchingStdio extends StdioServerTransport {
  readonly #output: Writable;
  #batch: Batch | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(input: Readable, output: Writable, options: { readonly maxBufferSize?: number }) {
    super(input, output, options);
    this.#output = output;
  }

  /** Resolves when the message is written. */
  override send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("The connection is closed; nothing can be sent."));
    this.#batch ??= this.#newBatch();
    this.#batch.text += serializeMessage(message);
    return this.#batch.written;
  }

  /** Resolves when what was sent before is written, or cannot be, or `maxMs` are over. */
  async flushed(maxMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxMs);
    });
    await Promise.race([this.#lastWrite, over]);
    clearTimeout(timer);
  }

  override close(): Promise<void> {
    this.#isClosed = true;
    return super.close();
  }

  #newBatch(): Batch {
    const written = new Promise<void>((resolve, reject) => {
      // After the promises of this turn, which are what answers come from.
      process.nextTick(() => {
        const text = this.#batch?.text ?? "";
        this.#batch = undefined;
        this.#output.write(text, (error) => (error ? reject(error) : resolve()));
      });
    });
    this.#lastWrite = written.catch(() => undefined);
    return { text: "", written };
  }
}
