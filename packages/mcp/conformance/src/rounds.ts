/** Tools and a prompt that need answers before they can give their own. */
import type { ToolContext } from "@tsukumo/tool";
import { sessionOf } from "./session.js";

const form = (field: string) => ({
  type: "object" as const,
  properties: { [field]: { type: "string" as const } },
  required: [field],
});

const confirmation = {
  type: "object" as const,
  properties: { ok: { type: "boolean" as const } },
  required: ["ok"],
};

const question = (text: string, maxTokens: number) => ({
  messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  maxTokens,
});

/**
 * Asks for a name.
 * @tool
 */
export async function test_input_required_result_elicitation(context?: ToolContext): Promise<string> {
  const session = sessionOf(context);
  const answer = await session.elicit(
    { message: "What is your name?", requestedSchema: form("name") },
    { key: "user_name" },
  );
  return `Hello, ${answer.content?.name ?? "nobody"}!`;
}

/**
 * Asks the client's model.
 * @tool
 */
export async function test_input_required_result_sampling(context?: ToolContext): Promise<string> {
  const answer = await sessionOf(context).sample(question("What is the capital of France?", 100), {
    key: "capital_question",
  });
  return JSON.stringify(answer.content);
}

/**
 * Asks for the roots.
 * @tool
 */
export async function test_input_required_result_list_roots(context?: ToolContext): Promise<string> {
  const { roots } = await sessionOf(context).listRoots({ key: "client_roots" });
  return roots.map((root) => `${root.name ?? ""} ${root.uri}`).join("\n");
}

/**
 * Keeps state between its rounds.
 * @tool
 */
export async function test_input_required_result_request_state(context?: ToolContext): Promise<string> {
  await sessionOf(context).elicit({ message: "Please confirm", requestedSchema: confirmation }, { key: "confirm" });
  return "state-ok";
}

/**
 * Refuses state that was changed.
 * @tool
 */
export async function test_input_required_result_tampered_state(context?: ToolContext): Promise<string> {
  await sessionOf(context).elicit({ message: "Please confirm", requestedSchema: confirmation }, { key: "confirm" });
  return "state-ok";
}

/**
 * Asks three things at once.
 * @tool
 */
export async function test_input_required_result_multiple_inputs(context?: ToolContext): Promise<string> {
  const session = sessionOf(context);
  const answers = await Promise.all([
    session.elicit({ message: "What is your name?", requestedSchema: form("name") }, { key: "user_name" }),
    session.sample(question("Generate a greeting", 50), { key: "greeting" }),
    session.listRoots({ key: "client_roots" }),
  ]);
  return JSON.stringify(answers);
}

/**
 * Asks one thing after the other.
 * @tool
 */
export async function test_input_required_result_multi_round(context?: ToolContext): Promise<string> {
  const session = sessionOf(context);
  const name = await session.elicit(
    { message: "Step 1: What is your name?", requestedSchema: form("name") },
    { key: "step1" },
  );
  const color = await session.elicit(
    { message: "Step 2: What is your favorite color?", requestedSchema: form("color") },
    { key: "step2" },
  );
  return `${name.content?.name} likes ${color.content?.color}`;
}

/**
 * Asks only what the client can answer.
 * @tool
 */
export async function test_input_required_result_capabilities(context?: ToolContext): Promise<string> {
  const session = sessionOf(context);
  const { elicitation, sampling } = session.clientCapabilities;
  const answers = await Promise.all([
    elicitation && session.elicit({ message: "Name?", requestedSchema: form("name") }, { key: "user_name" }),
    sampling && session.sample(question("Say hello", 50), { key: "greeting" }),
  ]);
  return JSON.stringify(answers);
}
