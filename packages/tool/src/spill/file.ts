/** Outputs kept as files of one directory. For Node, Bun and Deno. */
import { chmod, type FileHandle, mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isRef, randomRef } from "./ref.js";
import { type SpillContext, SpillError, type SpillSink } from "./sink.js";

export interface FileSpillOptions {
  /** Of one output; 64 MB unless given. */
  readonly maxBytes?: number;
  /** Of all outputs in the directory; 1 GB unless given. Outputs beyond it are refused; `sweep` makes room. */
  readonly maxTotalBytes?: number;
}

/**
 * A file appears under its name only once all of it is on the disk, so a process that dies leaves no half output to be
 * recalled. Directory and files are for their owner alone.
 */
export class FileSpillSink implements SpillSink {
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #maxTotalBytes: number;
  /** Spills in flight count before their files do. */
  #reserved = 0;

  constructor(directory: string, options: FileSpillOptions = {}) {
    this.#directory = directory;
    this.#maxBytes = options.maxBytes ?? 64_000_000;
    this.#maxTotalBytes = options.maxTotalBytes ?? 1_000_000_000;
  }

  /** @throws {SpillError} `CapacityExceeded` or `StorageFailed` */
  async spill(_context: SpillContext, text: string): Promise<string> {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > this.#maxBytes) throw SpillError.capacity(this.#maxBytes, bytes.length);
    this.#reserved += bytes.length;
    try {
      await this.#prepare();
      const wanted = (await this.#storedBytes()) + this.#reserved;
      if (wanted > this.#maxTotalBytes) throw SpillError.capacity(this.#maxTotalBytes, wanted);
      const ref = randomRef();
      await this.#write(ref, bytes);
      return ref;
    } catch (cause) {
      throw cause instanceof SpillError ? cause : storageFailed("kept", cause);
    } finally {
      this.#reserved -= bytes.length;
    }
  }

  /** @throws {SpillError} `StorageFailed` where the file is there and cannot be read */
  async recall(ref: string): Promise<string | undefined> {
    // Only names of our own making: a reference comes from a model, and must not be a path.
    if (!isRef(ref)) return undefined;
    try {
      return await readFile(join(this.#directory, ref), "utf8");
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw storageFailed("read", cause);
    }
  }

  /**
   * Removes outputs that are older, and what dead processes left half done.
   * @param olderThanMs age in milliseconds
   * @returns how many files went
   */
  async sweep(olderThanMs: number): Promise<number> {
    const before = Date.now() - olderThanMs;
    let removed = 0;
    for (const name of await this.#names()) {
      const path = join(this.#directory, name);
      const modified = await stat(path).then(
        (file) => file.mtimeMs,
        () => Number.POSITIVE_INFINITY,
      );
      if (modified > before) continue;
      await unlink(path).then(
        () => removed++,
        () => undefined,
      );
    }
    return removed;
  }

  async #prepare(): Promise<void> {
    const made = await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    // A umask may have taken more than it should, or an option less.
    if (made !== undefined) await chmod(this.#directory, 0o700);
  }

  async #write(ref: string, bytes: Uint8Array): Promise<void> {
    const partial = join(this.#directory, `${ref}.part`);
    let file: FileHandle | undefined;
    try {
      file = await open(partial, "wx", 0o600);
      await file.writeFile(bytes);
      await file.sync();
      await file.close();
      file = undefined;
      await rename(partial, join(this.#directory, ref));
    } catch (cause) {
      await file?.close().catch(() => undefined);
      await unlink(partial).catch(() => undefined);
      throw cause;
    }
  }

  async #storedBytes(): Promise<number> {
    const sizes = await Promise.all(
      (await this.#names()).filter(isRef).map((name) =>
        stat(join(this.#directory, name)).then(
          (file) => file.size,
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Of the files that are ours; others in the directory are none of our business. */
  async #names(): Promise<string[]> {
    try {
      const names = await readdir(this.#directory);
      return names.filter((name) => isRef(name.replace(/\.part$/, "")));
    } catch (cause) {
      if (isMissing(cause)) return [];
      throw cause;
    }
  }
}

function storageFailed(what: "kept" | "read", cause: unknown): SpillError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SpillError("StorageFailed", `The output could not be ${what}: ${reason}`, { cause });
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
