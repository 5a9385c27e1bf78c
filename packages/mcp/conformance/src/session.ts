/** Tools that talk to the client while they run. */
import { McpSession } from "@tsukumo/mcp";
import type { ToolContext } from "@tsukumo/tool";

export function sessionOf(context: ToolContext | undefined): McpSession {
  const session = context?.extension(McpSession);
  if (session === undefined) throw new Error("This tool runs over MCP only.");
  return session;
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends three log messages.
 * @tool
 */
export async function test_tool_with_logging(context?: ToolContext): Promise<string> {
  const session = sessionOf(context);
  await session.log("info", "Tool execution started");
  await sleep(50);
  await session.log("info", "Tool processing data");
  await sleep(50);
  await session.log("info", "Tool execution completed");
  return "Tool with logging executed successfully";
}

/**
 * Sends a log message.
 * @tool
 */
export async function test_logging_tool(context?: ToolContext): Promise<string> {
  await sessionOf(context).log("info", "A message");
  return "Logged";
}

/**
 * Tells how far it is.
 * @tool
 */
export async function test_tool_with_progress(context?: ToolContext): Promise<string> {
  const session = sessionOf(context);
  for (const step of [0, 50, 100]) {
    await session.progress(step, 100, `Completed step ${step} of 100`);
    await sleep(50);
  }
  return "Done";
}

/**
 * Ends its stream while it runs.
 * @tool
 */
export async function test_reconnection(context?: ToolContext): Promise<string> {
  sessionOf(context).closeStream();
  await sleep(100);
  return "Reconnection test completed successfully.";
}

/**
 * Asks the client's model.
 * @tool
 * @param prompt What to ask
 */
export async function test_sampling(prompt: string, context?: ToolContext): Promise<string> {
  const { content } = await sessionOf(context).sample({
    messages: [{ role: "user", content: { type: "text", text: prompt } }],
    maxTokens: 100,
  });
  const [first] = [content].flat();
  return `LLM response: ${first?.type === "text" ? first.text : ""}`;
}

/**
 * Needs a client with sampling.
 * @tool
 */
export function test_missing_capability(context?: ToolContext): string {
  sessionOf(context).require({ sampling: {} });
  return "The client can sample.";
}
