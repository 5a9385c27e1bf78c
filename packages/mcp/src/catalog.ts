/** The prompts and resources of a server, by name. */
import type { Prompt, PromptMeta, Resource, ResourceMeta } from "@tsukumo/tool";

/** Suggests values for an argument. @param args what the client has of the other arguments */
export type Completer = (
  value: string,
  args: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

/** Two prompts or resources of one name; nothing of the call was registered. */
export class DuplicateEntryError extends Error {
  readonly code = "DuplicateName";

  constructor(kind: string, name: string) {
    super(`A ${kind} named ${JSON.stringify(name)} is already registered. Rename one, or remove the first.`);
    this.name = "DuplicateEntryError";
  }
}

/** Entries sorted by name, whatever the order in which they came. */
export class Catalog<M extends { readonly name: string }, T> {
  readonly #kind: string;
  readonly #entries = new Map<string, readonly [M, T]>();
  readonly #onChange: () => void;
  #sorted: readonly (readonly [M, T])[] | undefined;

  constructor(kind: string, onChange: () => void) {
    this.#kind = kind;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Adds all or none. @throws {DuplicateEntryError} */
  add(definitions: readonly (() => readonly [M, T])[]): void {
    const made = new Map<string, readonly [M, T]>();
    for (const definition of definitions) {
      const entry = definition();
      const { name } = entry[0];
      if (made.has(name) || this.#entries.has(name)) throw new DuplicateEntryError(this.#kind, name);
      made.set(name, entry);
    }
    for (const [name, entry] of made) this.#entries.set(name, entry);
    this.#changed();
  }

  /** True where there was one. */
  remove(name: string): boolean {
    const removed = this.#entries.delete(name);
    if (removed) this.#changed();
    return removed;
  }

  get(name: string): readonly [M, T] | undefined {
    return this.#entries.get(name);
  }

  sorted(): readonly (readonly [M, T])[] {
    this.#sorted ??= [...this.#entries.values()].sort(([a], [b]) => (a.name < b.name ? -1 : 1));
    return this.#sorted;
  }

  #changed(): void {
    this.#sorted = undefined;
    this.#onChange();
  }
}

export type PromptCatalog = Catalog<PromptMeta, Prompt>;
export type ResourceCatalog = Catalog<ResourceMeta, Resource>;
