/** completion/complete. @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion */
import {
  type CompleteRequestParams,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { JsonSchema } from "@tsukumo/tool";
import type { McpServer } from "./server.js";

/** The protocol's limit. */
const MAX_VALUES = 100;

/** What the author's completer says, or the values of an enum that begin with what was typed. @throws {ProtocolError} -32602 */
export async function complete(server: McpServer, params: CompleteRequestParams): Promise<CompleteResult> {
  const { key, schema } = targetOf(server, params.ref);
  const { name, value } = params.argument;
  const completers = server.options.completers ?? {};
  const own = Object.hasOwn(completers, key) ? completers[key] : undefined;
  const completer = own !== undefined && Object.hasOwn(own, name) ? own[name] : undefined;
  const all =
    completer === undefined
      ? enumOf(schema, name).filter((one) => one.toLowerCase().startsWith(value.toLowerCase()))
      : await completer(value, params.context?.arguments ?? {});
  return {
    completion: { values: all.slice(0, MAX_VALUES), total: all.length, hasMore: all.length > MAX_VALUES },
  };
}

function targetOf(server: McpServer, ref: CompleteRequestParams["ref"]): { key: string; schema: JsonSchema } {
  if (ref.type === "ref/prompt") {
    const entry = server.prompts.get(ref.name);
    if (entry !== undefined) return { key: ref.name, schema: entry[0].inputSchema };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${JSON.stringify(ref.name)}`);
  }
  const entry = server.resources.sorted().find(([meta]) => meta.uriTemplate === ref.uri);
  if (entry !== undefined) return { key: ref.uri, schema: entry[0].inputSchema };
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource template: ${JSON.stringify(ref.uri)}`);
}

function enumOf({ properties }: JsonSchema, name: string): string[] {
  const schema = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isRecord(schema)) return [];
  if (Array.isArray(schema.enum)) return schema.enum.map(String);
  return schema.type === "boolean" ? ["true", "false"] : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
