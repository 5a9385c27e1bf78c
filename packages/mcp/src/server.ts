/** A registry, prompts and resources as an MCP server, whatever the transport. */
import { type AuthInfo, createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import {
  type Prompt,
  type PromptDefinition,
  type PromptMeta,
  type Resource,
  type ResourceDefinition,
  type ResourceMeta,
  ToolContext,
  type ToolRegistry,
} from "@tsukumo/tool";
import { Catalog, type Completer, type PromptCatalog, type ResourceCatalog } from "./catalog.js";
import type { RoundState } from "./input.js";
import { Runs } from "./runs.js";
import { type TaskOptions, TaskStore, type TaskSupport } from "./tasks.js";

/** What happened to the lists; every connection tells its client in its own way. */
export type ServerChange =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string };

export interface McpServerOptions {
  /** Told to clients: how the server is to be used. */
  readonly instructions?: string;
  /** How many entries a list gives at once; 100 unless given. */
  readonly pageSize?: number;
  /**
   * Signs what clients carry between the rounds of a call: at least 32 bytes, the same in every process that serves
   * the same clients. Random unless given.
   */
  readonly stateKey?: string | Uint8Array;
  /** The context of a call, a new one for each; its signal is replaced by the call's. */
  readonly context?: (caller: { readonly auth?: AuthInfo }) => ToolContext;
  /** Completes arguments, by prompt name or URI template, then by argument: before the values of an enum. */
  readonly completers?: Readonly<Record<string, Readonly<Record<string, Completer>>>>;
  /** Which tools are served as tasks; others never are. */
  readonly tasks?: Readonly<Record<string, TaskSupport>>;
  readonly taskOptions?: TaskOptions;
}

export class McpServerBuilder {
  readonly #name: string;
  readonly #version: string;
  readonly #registry: ToolRegistry;
  readonly #prompts: PromptDefinition[] = [];
  readonly #resources: ResourceDefinition[] = [];
  #options: McpServerOptions = {};

  constructor(name: string, version: string, registry: ToolRegistry) {
    this.#name = name;
    this.#version = version;
    this.#registry = registry;
  }

  withPrompts(...prompts: readonly PromptDefinition[]): this {
    this.#prompts.push(...prompts);
    return this;
  }

  withResources(...resources: readonly ResourceDefinition[]): this {
    this.#resources.push(...resources);
    return this;
  }

  /** Options given later win. */
  withOptions(options: McpServerOptions): this {
    this.#options = { ...this.#options, ...options };
    return this;
  }

  /** @throws {DuplicateEntryError} for two prompts or resources of one name */
  build(): McpServer {
    return new McpServer(this.#name, this.#version, this.#registry, this.#prompts, this.#resources, this.#options);
  }
}

/** Serves nothing by itself: give it to `serveStdio`, `serveHttp` or `mcpFetch`, one or several. */
export class McpServer {
  readonly name: string;
  readonly version: string;
  readonly registry: ToolRegistry;
  readonly options: McpServerOptions;
  readonly prompts: PromptCatalog;
  readonly resources: ResourceCatalog;
  readonly tasks: TaskStore;
  readonly runs = new Runs();
  readonly state: RequestStateCodec<RoundState>;
  readonly #listeners = new Set<(change: ServerChange) => void>();

  constructor(
    name: string,
    version: string,
    registry: ToolRegistry,
    prompts: readonly PromptDefinition[],
    resources: readonly ResourceDefinition[],
    options: McpServerOptions,
  ) {
    this.name = name;
    this.version = version;
    this.registry = registry;
    this.options = options;
    this.prompts = new Catalog<PromptMeta, Prompt>("prompt", () => this.notify({ kind: "prompts" }));
    this.resources = new Catalog<ResourceMeta, Resource>("resource", () => this.notify({ kind: "resources" }));
    this.prompts.add(prompts);
    this.resources.add(resources);
    this.tasks = new TaskStore(options.taskOptions ?? {});
    this.state = createRequestStateCodec<RoundState>({
      key: options.stateKey ?? crypto.getRandomValues(new Uint8Array(32)),
      bind: (context) => context.http?.authInfo?.clientId ?? "",
    });
    registry.onChange(() => this.notify({ kind: "tools" }));
  }

  static builder(name: string, version: string, registry: ToolRegistry): McpServerBuilder {
    return new McpServerBuilder(name, version, registry);
  }

  /** @throws {DuplicateEntryError} */
  addPrompts(...prompts: readonly PromptDefinition[]): void {
    this.prompts.add(prompts);
  }

  /** @throws {DuplicateEntryError} */
  addResources(...resources: readonly ResourceDefinition[]): void {
    this.resources.add(resources);
  }

  /** Tells every client that has subscribed to the resource. */
  resourceUpdated(uri: string): void {
    this.notify({ kind: "resource", uri });
  }

  /** Gives the way to stop listening. */
  onChange(listener: (change: ServerChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notify(change: ServerChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** A context for one call. */
  contextFor(auth: AuthInfo | undefined, signal: () => AbortSignal): ToolContext {
    const own = this.options.context?.(auth === undefined ? {} : { auth });
    const caller = own?.caller ?? auth?.clientId;
    const call = caller === undefined ? { signal } : { signal, caller };
    return own === undefined ? new ToolContext(call) : own.with(call);
  }
}
