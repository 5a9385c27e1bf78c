/** Outputs kept in memory, the least recently used given up first. */
import { byteLength } from "../truncation/bytes.js";
import { randomRef } from "./ref.js";
import { type SpillContext, SpillError, type SpillSink } from "./sink.js";

interface Entry {
  readonly text: string;
  readonly bytes: number;
}

export interface MemorySpillOptions {
  /** Of all outputs together, in UTF-8; 64 MB unless given. */
  readonly maxBytes?: number;
  /** How many outputs; 256 unless given. */
  readonly maxEntries?: number;
}

export class MemorySpillSink implements SpillSink {
  readonly #maxBytes: number;
  readonly #maxEntries: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(options: MemorySpillOptions = {}) {
    this.#maxBytes = options.maxBytes ?? 64_000_000;
    this.#maxEntries = options.maxEntries ?? 256;
  }

  /** How many outputs are kept now. */
  get size(): number {
    return this.#entries.size;
  }

  /** @throws {SpillError} `CapacityExceeded` for an output that is larger than all room there is */
  spill(_context: SpillContext, text: string): string {
    const bytes = byteLength(text);
    if (bytes > this.#maxBytes || this.#maxEntries < 1) throw SpillError.capacity(this.#maxBytes, bytes);
    const ref = randomRef();
    this.#entries.set(ref, { text, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes && this.#entries.size <= this.#maxEntries) break;
      this.delete(oldest);
    }
    return ref;
  }

  recall(ref: string): string | undefined {
    const entry = this.#entries.get(ref);
    if (entry === undefined) return undefined;
    this.#entries.delete(ref);
    this.#entries.set(ref, entry);
    return entry.text;
  }

  /** True where there was one. */
  delete(ref: string): boolean {
    const entry = this.#entries.get(ref);
    if (entry === undefined) return false;
    this.#bytes -= entry.bytes;
    return this.#entries.delete(ref);
  }
}
