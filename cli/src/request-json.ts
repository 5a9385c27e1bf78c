/** A Request that somebody wrote by hand: everything is optional, and Open Responses' snake_case is read too. */
import type { Item, LlmToolDefinition, Request, RequestConfig } from "@tsukumo/client";
import { CliError } from "./failure.js";

export interface WrittenRequest {
  readonly request: Request;
  readonly model?: string;
}

/** @throws {CliError} where the text is no JSON object or a list is no list */
export function requestFromJson(text: string): WrittenRequest {
  const written = camelKeys(parse(text));
  if (!isRecord(written)) throw new CliError("A request is a JSON object: {systemPrompt, items, tools, config}.");
  const { systemPrompt, items = [], tools = [], config = {}, model } = written;
  if (!Array.isArray(items)) throw new CliError("`items` must be a list of items.");
  if (!Array.isArray(tools)) throw new CliError("`tools` must be a list of tools.");
  if (!isRecord(config)) throw new CliError("`config` must be an object.");
  const request: Request = {
    ...(typeof systemPrompt === "string" ? { systemPrompt } : {}),
    items: items.map(item),
    tools: tools.map(tool),
    config: config satisfies RequestConfig,
  };
  return typeof model === "string" ? { request, model } : { request };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError(`The request is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

function item(value: unknown, index: number): Item {
  if (isItem(value)) return value;
  throw new CliError(
    `items[${index}] has no known \`type\`: message, function_call, function_call_output or reasoning.`,
  );
}

function isItem(value: unknown): value is Item {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case "message":
      return typeof value.role === "string" && Array.isArray(value.content);
    case "function_call":
      return typeof value.callId === "string" && typeof value.name === "string" && typeof value.arguments === "string";
    case "function_call_output":
      return typeof value.callId === "string" && (typeof value.output === "string" || Array.isArray(value.output));
    case "reasoning":
      return typeof value.text === "string";
    default:
      return false;
  }
}

function tool(value: unknown, index: number): LlmToolDefinition {
  if (isTool(value)) return value;
  throw new CliError(`tools[${index}] needs a \`name\` and an \`inputSchema\`.`);
}

function isTool(value: unknown): value is LlmToolDefinition {
  return isRecord(value) && typeof value.name === "string" && isRecord(value.inputSchema);
}

/** Schemas and arguments are the author's own and keep their keys. */
const OPAQUE = new Set(["inputSchema", "schema", "extra", "arguments", "data"]);

function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [camel, OPAQUE.has(camel) ? inner : camelKeys(inner)];
    }),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
