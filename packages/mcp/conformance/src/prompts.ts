import { mcpPrompt } from "@tsukumo/mcp";
import type { PromptOutput, ToolContext } from "@tsukumo/tool";
import { PIXEL } from "./media.js";
import { sessionOf } from "./session.js";

/**
 * A prompt without arguments.
 * @prompt
 */
export function test_simple_prompt(): string {
  return "This is a simple prompt for testing.";
}

/**
 * A prompt with arguments.
 * @prompt
 * @param arg1 First test argument
 * @param arg2 Second test argument
 */
export function test_prompt_with_arguments(arg1: string, arg2: string): string {
  return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
}

/**
 * A prompt with a resource in it.
 * @prompt
 * @param resourceUri URI of the resource
 */
export function test_prompt_with_embedded_resource(resourceUri: string): PromptOutput {
  const text = "Embedded resource content for testing.";
  return mcpPrompt([
    { role: "user", content: { type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text } } },
    { role: "user", content: "Please process the embedded resource above." },
  ]);
}

/**
 * A prompt with an image in it.
 * @prompt
 */
export function test_prompt_with_image(): PromptOutput {
  return mcpPrompt([
    { role: "user", content: { type: "image", data: PIXEL, mimeType: "image/png" } },
    { role: "user", content: "Please analyze the image above." },
  ]);
}

/**
 * A prompt that asks first.
 * @prompt
 */
export async function test_input_required_result_prompt(context?: ToolContext): Promise<string> {
  const answer = await sessionOf(context).elicit(
    {
      message: "What context should the prompt use?",
      requestedSchema: { type: "object", properties: { context: { type: "string" } }, required: ["context"] },
    },
    { key: "user_context" },
  );
  return `Use this context: ${answer.content?.context}`;
}
