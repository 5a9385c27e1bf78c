/** Tools that need a binding: an instance for each request, with the binding as its field. */
import { tool, toolRegistry } from "@tsukumo/tool";

/** What the tools use of Cloudflare's `KVNamespace`. */
export interface KeyValueStore {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  list(): Promise<{ readonly keys: readonly { readonly name: string }[] }>;
}

@toolRegistry
export class Notebook {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /**
   * Keeps something for later conversations.
   * @effect mutating
   * @param key A short name, e.g. "favourite colour"
   * @param text What to keep; what was kept under the name is replaced
   */
  @tool async remember(key: string, text: string): Promise<string> {
    await this.#store.put(key, text);
    return `Kept under ${key}.`;
  }

  /**
   * Gives what was kept under a name.
   * @effect read_only
   * @param key A name that listNames gives
   */
  @tool async recall(key: string): Promise<string> {
    return (await this.#store.get(key)) ?? `Nothing is kept under ${key}.`;
  }

  /**
   * Lists the names under which something is kept.
   * @effect read_only
   */
  @tool async listNames(): Promise<string[]> {
    return (await this.#store.list()).keys.map(({ name }) => name);
  }
}
