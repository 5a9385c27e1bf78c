/** What every provider's factory takes. */
import type { TransportOptions } from "../transport.js";

export interface ProviderOptions extends TransportOptions {
  readonly model: string;
  /** A key, or a function that gives one for each request. Default: the provider's usual environment variable. */
  readonly apiKey?: ApiKey;
  /** With or without the version. */
  readonly baseUrl?: string;
  /** Sent with every request; they win over the provider's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The most bytes that one event may take; default 16 MiB. */
  readonly maxEventBytes?: number;
  /** Refuse a request whose options the provider would ignore or refuse, instead of only warning. Default false. */
  readonly strict?: boolean;
}

export type ApiKey = string | (() => string | Promise<string>);

/** An environment variable, where there is an environment; empty counts as missing. */
export function environment(name: string): string | undefined {
  const value = property(property(property(globalThis, "process"), "env"), name);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
