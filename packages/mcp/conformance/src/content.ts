import { mcpOutput } from "@tsukumo/mcp";
import type { ToolOutput } from "@tsukumo/tool";
import { PIXEL, SILENCE } from "./media.js";

/**
 * Answers with text.
 * @tool
 */
export function test_simple_text(): string {
  return "This is a simple text response for testing.";
}

/**
 * Answers with an image.
 * @tool
 */
export function test_image_content(): ToolOutput {
  return mcpOutput([{ type: "image", data: PIXEL, mimeType: "image/png" }]);
}

/**
 * Answers with audio.
 * @tool
 */
export function test_audio_content(): ToolOutput {
  return mcpOutput([{ type: "audio", data: SILENCE, mimeType: "audio/wav" }]);
}

/**
 * Answers with an embedded resource.
 * @tool
 */
export function test_embedded_resource(): ToolOutput {
  const text = "This is an embedded resource content.";
  return mcpOutput([{ type: "resource", resource: { uri: "test://embedded-resource", mimeType: "text/plain", text } }]);
}

/**
 * Answers with text, an image and a resource.
 * @tool
 */
export function test_multiple_content_types(): ToolOutput {
  const text = JSON.stringify({ test: "data", value: 123 });
  return mcpOutput([
    { type: "text", text: "Multiple content types test:" },
    { type: "image", data: PIXEL, mimeType: "image/png" },
    { type: "resource", resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text } },
  ]);
}

/**
 * Always fails.
 * @tool
 */
export function test_error_handling(): string {
  throw new Error("This tool intentionally returns an error for testing");
}
