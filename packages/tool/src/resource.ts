/** Functions as resources: what an MCP client reads by URI. */
import type { ToolContext } from "./context.js";
import type { JsonSchema } from "./json.js";

export interface ResourceMeta {
  readonly name: string;
  readonly description: string;
  /** A URI whose `{variables}` are the function's parameters; without any, one concrete resource. */
  readonly uriTemplate: string;
  readonly mimeType?: string;
  /** JSON Schema of the variables. */
  readonly inputSchema: JsonSchema;
}

export interface ResourceOutput {
  readonly uri: string;
  readonly mimeType?: string;
  /** Text, or bytes. */
  readonly content: string | Uint8Array;
}

export interface Resource {
  /** True for a URI that the template can produce. */
  matches(uri: string): boolean;
  /**
   * Reads the resource.
   * @throws {ToolError} `NotFound` where the URI does not match, `InvalidArgument` where a variable has no valid value
   */
  read(uri: string, context?: ToolContext): Promise<ResourceOutput>;
}

export type ResourceDefinition = () => readonly [ResourceMeta, Resource];

/** True where the URI has no variables. */
export function isConcrete(meta: ResourceMeta): boolean {
  return !meta.uriTemplate.includes("{");
}
