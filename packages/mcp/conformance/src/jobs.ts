/** Tools of the Tasks extension. */
import { McpError } from "@tsukumo/mcp";
import type { ToolContext } from "@tsukumo/tool";
import { sessionOf, sleep } from "./session.js";

/**
 * Greets.
 * @tool
 * @param name Whom
 */
export function greet(name: string): string {
  return `Hello, ${name}!`;
}

/**
 * Takes its time.
 * @tool
 * @param seconds How long
 * @param label What it is for
 */
export async function slow_compute(seconds: number, label = "", context?: ToolContext): Promise<string> {
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    context?.signal.throwIfAborted();
    await sleep(Math.min(50, until - Date.now()));
  }
  return `Computed ${label} for ${seconds} s`;
}

/**
 * Fails after a second.
 * @tool
 */
export async function failing_job(): Promise<string> {
  await sleep(1000);
  throw new Error("The job failed.");
}

/**
 * Ends in an error of the protocol.
 * @tool
 */
export async function protocol_error_job(): Promise<string> {
  throw new McpError(-32603, "The job broke down.");
}

/**
 * Deletes a file, if the person agrees.
 * @tool
 * @effect destructive
 * @param filename Which file
 */
export async function confirm_delete(filename: string, context?: ToolContext): Promise<string> {
  const answer = await sessionOf(context).elicit({
    message: `Delete ${filename}?`,
    requestedSchema: { type: "object", properties: { confirm: { type: "boolean" } }, required: ["confirm"] },
  });
  return answer.content?.confirm === true ? `Deleted ${filename}` : `Kept ${filename}`;
}

/**
 * Asks two things at once.
 * @tool
 */
export async function multi_input(context?: ToolContext): Promise<string> {
  const session = sessionOf(context);
  const requestedSchema = {
    type: "object" as const,
    properties: { name: { type: "string" as const } },
    required: ["name"],
  };
  const answers = await Promise.all([
    session.elicit({ message: "First name?", requestedSchema }),
    session.elicit({ message: "Second name?", requestedSchema }),
  ]);
  return answers.map((answer) => answer.content?.name).join(" and ");
}

/**
 * Asks for a name, then works on in a task.
 * @tool
 */
export async function test_tool_with_task(context?: ToolContext): Promise<string> {
  const session = sessionOf(context);
  const requestedSchema = {
    type: "object" as const,
    properties: { name: { type: "string" as const } },
    required: ["name"],
  };
  const answer = await session.elicit({ message: "What is your name?", requestedSchema }, { key: "user_name" });
  session.startTask();
  await sleep(100);
  return `Hello, ${answer.content?.name}!`;
}
