/** The types of each SDK, by its name. */
import type { AiSdkToolCall, AiSdkToolResult, AiSdkToolSet } from "./ai-sdk.js";
import type { AnthropicBlock, AnthropicTool, AnthropicToolResult } from "./anthropic.js";
import type { GeminiFunctionCall, GeminiFunctionResponse, GeminiTool } from "./gemini.js";
import type { McpTool, McpToolCall, McpToolResult } from "./mcp.js";
import type { OpenAiTool, OpenAiToolCall, OpenAiToolMessage } from "./openai.js";
import type { OpenAiResponsesItem, OpenAiResponsesOutput, OpenAiResponsesTool } from "./openai-responses.js";

export interface SdkShapes {
  openai: { definitions: OpenAiTool[]; item: OpenAiToolCall; result: OpenAiToolMessage };
  "openai-responses": {
    definitions: OpenAiResponsesTool[];
    item: OpenAiResponsesItem;
    result: OpenAiResponsesOutput;
  };
  anthropic: { definitions: AnthropicTool[]; item: AnthropicBlock; result: AnthropicToolResult };
  gemini: { definitions: GeminiTool[]; item: GeminiFunctionCall; result: GeminiFunctionResponse };
  "ai-sdk": { definitions: AiSdkToolSet; item: AiSdkToolCall; result: AiSdkToolResult };
  mcp: { definitions: McpTool[]; item: McpToolCall; result: McpToolResult };
}

export type Sdk = keyof SdkShapes;
