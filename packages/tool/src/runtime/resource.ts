/** A resource around a function. */
import { ToolContext } from "../context.js";
import { ToolError } from "../error.js";
import type { Resource, ResourceDefinition, ResourceMeta, ResourceOutput } from "../resource.js";
import type { Blueprint } from "./blueprint.js";
import { decodeValue } from "./decode.js";
import { matchUri } from "./uri-match.js";

export type ResourceBlueprint = Blueprint<ResourceMeta>;

export function resourceDefinition(blueprint: ResourceBlueprint): ResourceDefinition {
  return () => [Object.freeze(blueprint.meta), new GeneratedResource(blueprint)];
}

class GeneratedResource implements Resource {
  readonly #blueprint: ResourceBlueprint;

  constructor(blueprint: ResourceBlueprint) {
    this.#blueprint = blueprint;
  }

  matches(uri: string): boolean {
    return matchUri(this.#blueprint.meta.uriTemplate, uri) !== undefined;
  }

  async read(uri: string, context: ToolContext = new ToolContext()): Promise<ResourceOutput> {
    const { uriTemplate, mimeType } = this.#blueprint.meta;
    const variables = matchUri(uriTemplate, uri);
    if (variables === undefined)
      throw new ToolError("NotFound", `There is no resource ${uri}; it must match ${uriTemplate}.`);
    const args = decodeValue(this.#blueprint, variables);
    try {
      const content = contentOf(await this.#blueprint.call(args, context, undefined));
      return { uri, ...(mimeType === undefined ? {} : { mimeType }), content };
    } catch (thrown) {
      throw ToolError.from(thrown);
    }
  }
}

/** Text and bytes as they are, anything else as JSON. */
function contentOf(value: unknown): string | Uint8Array {
  if (typeof value === "string" || value instanceof Uint8Array) return value;
  return JSON.stringify(value === undefined ? null : value);
}
