/** prompts/list and prompts/get. @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts */
import {
  type GetPromptResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Prompt as WirePrompt,
} from "@modelcontextprotocol/server";
import { type PromptMeta, promptArguments, ToolError } from "@tsukumo/tool";
import type { McpPromptMessage } from "./content.js";
import { InputPending } from "./input.js";
import type { McpServer } from "./server.js";
import { McpSession } from "./session.js";
import { answering, type Caller, causeOf, channelFor } from "./tool-calls.js";

export function wirePrompt(meta: PromptMeta): WirePrompt {
  return { name: meta.name, description: meta.description, arguments: promptArguments(meta) };
}

/** @throws {ProtocolError} -32602 for an unknown prompt or wrong arguments, -32603 where the prompt fails */
export async function getPrompt(
  server: McpServer,
  caller: Caller,
  params: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> | undefined },
): Promise<GetPromptResult | InputRequiredResult> {
  const entry = server.prompts.get(params.name);
  if (entry === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${JSON.stringify(params.name)}`);
  const [meta, prompt] = entry;
  const channel = channelFor(caller, params.name);
  const session = new McpSession({ ...caller, channel });
  const { signal } = caller.context.mcpReq;
  const work = async (): Promise<GetPromptResult> => {
    const output = await throwingProtocolErrors(() =>
      server.runs.run(signal, (both) =>
        prompt.get(params.arguments ?? {}, server.contextFor(session.auth, both).setExtension(McpSession, session)),
      ),
    );
    return { description: meta.description, messages: output.messages.map(wireMessage) };
  };
  return answering(server, caller, channel, work());
}

/** MCP knows no system role: what a prompt says as the system, the user says. */
function wireMessage({ role, content }: McpPromptMessage): GetPromptResult["messages"][number] {
  return {
    role: role === "system" ? "user" : role,
    content: typeof content === "string" ? { type: "text", text: content } : content,
  };
}

/** Runs work whose failures are JSON-RPC errors. */
export async function throwingProtocolErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const cause = causeOf(thrown);
    if (cause instanceof ProtocolError || cause instanceof InputPending) throw cause;
    const error = ToolError.from(thrown);
    throw new ProtocolError(
      codeOf(error),
      error.message,
      error.issues.length > 0 ? { issues: error.issues } : undefined,
    );
  }
}

function codeOf(error: ToolError): ProtocolErrorCode {
  switch (error.code) {
    case "InvalidArgument":
    case "NotFound":
      return ProtocolErrorCode.InvalidParams;
    case "ExecutionFailed":
    case "Internal":
      return ProtocolErrorCode.InternalError;
  }
}
