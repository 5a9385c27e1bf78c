/** The client that every provider's factory makes: a scheme, an endpoint and a key. */
import type { ConfigWarning, LlmClient, StreamOptions } from "../client.js";
import { ClientError } from "../error.js";
import type { Event } from "../event.js";
import type { HttpCall } from "../http/connection.js";
import type { Request, RequestConfig } from "../request.js";
import type { EncodeOptions, Scheme } from "../scheme.js";
import { streamEvents } from "../transport.js";
import type { ApiKey, ProviderOptions } from "./options.js";

export interface Endpoint {
  readonly provider: string;
  readonly scheme: Scheme;
  /** Made when a request is sent, so that a wrong base URL is told there. */
  url(): string;
  readonly encode?: Omit<EncodeOptions, "model" | "stream">;
  readonly apiKey: ApiKey | undefined;
  /** What to do when there is no key; unset where none is needed. */
  readonly keyMissing?: string;
  auth(key: string): Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export class HttpClient implements LlmClient {
  readonly provider: string;
  readonly model: string;
  // Private, so that printing a client never prints its key.
  readonly #endpoint: Endpoint;
  readonly #options: ProviderOptions;

  constructor(endpoint: Endpoint, options: ProviderOptions) {
    this.provider = endpoint.provider;
    this.model = options.model;
    this.#endpoint = endpoint;
    this.#options = options;
  }

  stream(request: Request, options: StreamOptions = {}): AsyncIterable<readonly Event[]> {
    return streamEvents(() => this.#call(request), this.#options, options);
  }

  validate(config: RequestConfig): readonly ConfigWarning[] {
    return this.#endpoint.scheme.capability(config, this.model);
  }

  async #call(request: Request): Promise<HttpCall> {
    if (this.#options.strict === true) this.#refuseWarnings(request.config);
    const { scheme, provider } = this.#endpoint;
    const key = await this.#key();
    const { maxEventBytes } = this.#options;
    return {
      provider,
      url: this.#endpoint.url(),
      headers: this.#headers(key),
      body: scheme.encode(request, { ...this.#endpoint.encode, model: this.model, stream: true }),
      secrets: [...(key === "" ? [] : [key]), ...secretHeaders(this.#options.headers ?? {})],
      decoder: () => scheme.decoder(maxEventBytes === undefined ? {} : { maxEventBytes }),
    };
  }

  #refuseWarnings(config: RequestConfig): void {
    const warnings = this.validate(config);
    if (warnings.length === 0) return;
    const list = warnings.map((warning) => `${warning.option}: ${warning.message}`).join("\n");
    throw new ClientError("config", `${this.provider} does not support what the request asks for.\n${list}`);
  }

  async #key(): Promise<string> {
    const { apiKey, keyMissing, provider } = this.#endpoint;
    const key = (typeof apiKey === "function" ? await called(apiKey, provider) : (apiKey ?? "")).trim();
    if (key === "" && keyMissing !== undefined) throw new ClientError("config", keyMissing);
    return key;
  }

  #headers(key: string): Headers {
    const { headers: own, auth } = this.#endpoint;
    try {
      const headers = new Headers({ "content-type": "application/json" });
      // One by one: names that differ only in their letters' case would otherwise be joined into one value.
      const all = [own ?? {}, key === "" ? {} : auth(key), this.#options.headers ?? {}].flatMap(Object.entries<string>);
      for (const [name, value] of all) headers.set(name, value);
      return headers;
    } catch {
      // The platform's error would quote the value, and with it the key.
      throw new ClientError("config", "A header or the API key has characters that HTTP does not allow.");
    }
  }
}

async function called(apiKey: Exclude<ApiKey, string>, provider: string): Promise<string> {
  try {
    return await apiKey();
  } catch (cause) {
    throw new ClientError("config", `The function that gives the API key of ${provider} failed.`, { cause });
  }
}

/** Headers of the caller's own may hold keys too, with a word like Bearer before them. */
function secretHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
    .map(([, value]) => value.trim().split(/\s+/).at(-1) ?? "");
}
