/** What tools and prompts may give an MCP client beside text. @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools */
import type { ContentBlock } from "@modelcontextprotocol/server";
import { type JsonValue, type PromptOutput, ToolOutput } from "@tsukumo/tool";
import { sanitizeTokens } from "@tsukumo/tool/sanitize";

/** A block of a tool's result: text, image, audio, an embedded resource or a link to one. */
export type McpContent = ContentBlock;

export interface McpPromptMessage {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | McpContent;
}

/** Where a ToolOutput keeps its blocks: metadata survives truncation and sanitising, and no model sees it. */
const BLOCKS = "mcp_content";

/**
 * A tool's output that MCP clients get as these blocks. Everywhere else it is the text of its text blocks.
 * @param structured what becomes `structuredContent`
 */
export function mcpOutput(blocks: readonly McpContent[], structured?: JsonValue): ToolOutput {
  const text = blocks.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
  const metadata = { [BLOCKS]: JSON.stringify(blocks) };
  return new ToolOutput(text, structured === undefined ? { metadata } : { metadata, structured });
}

/** A prompt's messages, where they are more than text. */
export function mcpPrompt(messages: readonly McpPromptMessage[]): PromptOutput {
  // The contract types a message as text; what is not text is told apart again in prompts.ts.
  return { messages: messages as PromptOutput["messages"] };
}

/** The blocks of an output, text made harmless as the output's own text is. */
export function blocksOf(output: ToolOutput): McpContent[] {
  const kept = output.metadata[BLOCKS];
  if (typeof kept !== "string") return [{ type: "text", text: output.content }];
  const blocks: McpContent[] = JSON.parse(kept);
  return blocks.map((block) => (block.type === "text" ? { ...block, text: sanitizeTokens(block.text) } : block));
}

/** Base64 of bytes, with web-standard means only. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
