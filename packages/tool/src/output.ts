/** What a tool gives back. */
import type { JsonObject, JsonValue } from "./json.js";

const OUTPUT = Symbol.for("tsukumo.ToolOutput");

/** `content` is for the model; `metadata` is for hooks and logs and never reaches it. */
export class ToolOutput {
  readonly content: string;
  readonly metadata: JsonObject;
  /** The returned value itself, where the tool returned something other than text. */
  readonly structured: JsonValue | undefined;
  /** The same in every copy of this package that a program may load. */
  readonly [OUTPUT] = true;

  constructor(content: string, options: { readonly metadata?: JsonObject; readonly structured?: JsonValue } = {}) {
    this.content = content;
    this.metadata = options.metadata ?? {};
    this.structured = options.structured;
  }

  /** The value as JSON text, kept as `structured` too. */
  static json(value: JsonValue): ToolOutput {
    return new ToolOutput(JSON.stringify(value), { structured: value });
  }

  /** The same output with more metadata; later keys win. */
  withMetadata(metadata: JsonObject): ToolOutput {
    return this.#with(this.content, { ...this.metadata, ...metadata });
  }

  /** The same output with other text for the model. */
  withContent(content: string): ToolOutput {
    return this.#with(content, this.metadata);
  }

  #with(content: string, metadata: JsonObject): ToolOutput {
    return this.structured === undefined
      ? new ToolOutput(content, { metadata })
      : new ToolOutput(content, { metadata, structured: this.structured });
  }

  /**
   * What a function returned, as an output: a string as it is, a ToolOutput as it is, nothing as `null`, anything else
   * as JSON.
   * @throws {TypeError} where the value has no JSON form (a function, a bigint, a cycle).
   */
  static from(value: unknown): ToolOutput {
    if (isToolOutput(value)) return value;
    if (typeof value === "string") return new ToolOutput(value);
    const text = JSON.stringify(value === undefined ? null : value);
    if (text === undefined) throw new TypeError(`A tool returned a ${typeof value}, which has no JSON form.`);
    // Parsed again: the model and the program must see the same value (dates as text, undefined left out).
    const structured: JsonValue = JSON.parse(text);
    return new ToolOutput(text, { structured });
  }
}

function isToolOutput(value: unknown): value is ToolOutput {
  return typeof value === "object" && value !== null && OUTPUT in value;
}
