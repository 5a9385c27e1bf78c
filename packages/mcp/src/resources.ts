/** resources/list, templates/list and read. @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources */
import {
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ResourceTemplateType,
  type Resource as WireResource,
} from "@modelcontextprotocol/server";
import type { ResourceMeta, ResourceOutput } from "@tsukumo/tool";
import { base64 } from "./content.js";
import { throwingProtocolErrors } from "./prompts.js";
import type { McpServer } from "./server.js";
import { McpSession } from "./session.js";
import { answering, type Caller, channelFor } from "./tool-calls.js";

export function wireResource(meta: ResourceMeta): WireResource {
  return { ...wireCommon(meta), uri: meta.uriTemplate };
}

export function wireTemplate(meta: ResourceMeta): ResourceTemplateType {
  return { ...wireCommon(meta), uriTemplate: meta.uriTemplate };
}

/** @throws {ProtocolError} resource-not-found of the client's revision, -32602 or -32603 where reading fails */
export async function readResource(
  server: McpServer,
  caller: Caller,
  uri: string,
): Promise<ReadResourceResult | InputRequiredResult> {
  // A concrete resource goes before a template that would match its URI too.
  const entries = server.resources.sorted();
  const entry =
    entries.find(([meta]) => meta.uriTemplate === uri) ?? entries.find(([, resource]) => resource.matches(uri));
  if (entry === undefined) throw notFound(caller, uri);
  const channel = channelFor(caller, uri);
  const session = new McpSession({ ...caller, channel });
  const { signal } = caller.context.mcpReq;
  const work = async (): Promise<ReadResourceResult> => {
    const output = await throwingProtocolErrors(() =>
      server.runs.run(signal, (both) =>
        entry[1].read(uri, server.contextFor(session.auth, both).setExtension(McpSession, session)),
      ),
    );
    return { contents: [wireContents(output)] };
  };
  return answering(server, caller, channel, work());
}

function wireCommon({ name, description, mimeType }: ResourceMeta): {
  name: string;
  description: string;
  mimeType?: string;
} {
  return { name, description, ...(mimeType === undefined ? {} : { mimeType }) };
}

function wireContents({ uri, mimeType, content }: ResourceOutput): ReadResourceResult["contents"][number] {
  const common = { uri, ...(mimeType === undefined ? {} : { mimeType }) };
  return typeof content === "string" ? { ...common, text: content } : { ...common, blob: base64(content) };
}

/** Revision 2025-11-25 had a code of its own, -32002. */
function notFound({ era }: Caller, uri: string): ProtocolError {
  const code = era === "legacy" ? -32002 : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, `Resource not found: ${uri}`, { uri });
}
