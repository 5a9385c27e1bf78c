/** What a tool may know of the call beside its arguments. */
import type { JsonValue } from "./json.js";

/** A key for an extension that has no class: `const db = extensionToken<Db>("db")`. */
export interface ExtensionToken<T> {
  readonly description: string;
  /** Carries the type only; never present. */
  readonly _type?: T;
}

export type ExtensionKey<T> = ExtensionToken<T> | (abstract new (...args: never[]) => T);

/** Makes a key; two tokens of one description are two keys. */
export function extensionToken<T>(description: string): ExtensionToken<T> {
  return Object.freeze({ description });
}

/** State shared by all calls of a conversation; JSON values, so that it can be saved with a snapshot. */
export class SharedState {
  readonly #values: Map<string, JsonValue>;

  constructor(values: Readonly<Record<string, JsonValue>> = {}) {
    this.#values = new Map(Object.entries(values));
  }

  get(key: string): JsonValue | undefined;
  get<T extends JsonValue>(key: string, fallback: T): T;
  get(key: string, fallback?: JsonValue): JsonValue | undefined {
    return this.#values.has(key) ? this.#values.get(key) : fallback;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  set(key: string, value: JsonValue): void {
    this.#values.set(key, value);
  }

  /** True where there was something to remove. */
  delete(key: string): boolean {
    return this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }

  toJSON(): Record<string, JsonValue> {
    return Object.fromEntries(this.#values);
  }
}

export interface ToolContextOptions {
  readonly conversationId?: string;
  /** Who calls, where several callers share a registry. */
  readonly caller?: string;
  readonly state?: SharedState;
  /** Or what gives it, asked when it is first read: most tools never do. */
  readonly signal?: AbortSignal | (() => AbortSignal);
  /** True where no person waits for the answer (a background run). */
  readonly idle?: boolean;
  readonly call?: ToolCallInfo;
}

/** Which call of which batch this is. */
export interface ToolCallInfo {
  readonly callId: string;
  readonly batchId: string;
  /** The call's place in its batch, from 0. */
  readonly index: number;
}

/**
 * A parameter of this type is injected and never appears in a schema. Contexts are cheap: `with…` gives a new one that
 * shares state and extensions with the old.
 */
export class ToolContext {
  readonly conversationId: string | undefined;
  readonly caller: string | undefined;
  readonly state: SharedState;
  readonly idle: boolean;
  readonly call: ToolCallInfo | undefined;
  /** How the compiler knows a parameter that is injected; never present. */
  declare readonly __toolContext?: true;
  #signal: AbortSignal | (() => AbortSignal);
  #extensions: Map<object, unknown>;

  constructor(options: ToolContextOptions = {}) {
    this.conversationId = options.conversationId;
    this.caller = options.caller;
    this.state = options.state ?? new SharedState();
    this.#signal = options.signal ?? neverAborted;
    this.idle = options.idle ?? false;
    this.call = options.call;
    this.#extensions = new Map();
  }

  /** Aborted when the run is cancelled or the tool's time is up. */
  get signal(): AbortSignal {
    if (typeof this.#signal === "function") this.#signal = this.#signal();
    return this.#signal;
  }

  /** A context with other options and the SAME state and extensions. */
  with(options: ToolContextOptions): ToolContext {
    const context = new ToolContext({
      state: this.state,
      signal: this.#signal,
      idle: this.idle,
      ...(this.conversationId === undefined ? {} : { conversationId: this.conversationId }),
      ...(this.caller === undefined ? {} : { caller: this.caller }),
      ...(this.call === undefined ? {} : { call: this.call }),
      ...options,
    });
    context.#extensions = this.#extensions;
    return context;
  }

  /** Keeps one value for the class or token; a later value replaces it. Gives the context itself. */
  setExtension<T>(key: ExtensionKey<T>, value: T): this {
    this.#extensions.set(key, value);
    return this;
  }

  extension<T>(key: ExtensionKey<T>): T | undefined;
  extension<T>(key: ExtensionKey<T>, fallback: T): T;
  extension<T>(key: ExtensionKey<T>, fallback?: T): T | undefined {
    // setExtension is the only writer and pairs the key with a T.
    return this.#extensions.has(key) ? (this.#extensions.get(key) as T) : fallback;
  }
}

/** Made when it is read: edge workers allow an AbortController in a request only, and share none between requests. */
function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
