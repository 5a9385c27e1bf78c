/** Tools that ask the person. */
import type { ToolContext } from "@tsukumo/tool";
import { sessionOf } from "./session.js";

const text = { type: "string" } as const;

/**
 * Asks the person.
 * @tool
 * @param message What to show
 */
export async function test_elicitation(message: string, context?: ToolContext): Promise<string> {
  const answer = await sessionOf(context).elicit({
    message,
    requestedSchema: { type: "object", properties: { username: text, email: text }, required: ["username", "email"] },
  });
  return `User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;
}

/**
 * Asks the person in the middle of the call.
 * @tool
 */
export async function test_streaming_elicitation(context?: ToolContext): Promise<string> {
  const session = sessionOf(context);
  await session.progress(1, 2);
  const requestedSchema = { type: "object" as const, properties: { name: text }, required: ["name"] };
  const answer = await session.elicit({ message: "What is your name?", requestedSchema });
  return `User response: ${answer.action}`;
}

/**
 * Asks with a default for each kind of field.
 * @tool
 */
export async function test_elicitation_sep1034_defaults(context?: ToolContext): Promise<string> {
  const answer = await sessionOf(context).elicit({
    message: "Please review and update the form fields with defaults",
    requestedSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "User name", default: "John Doe" },
        age: { type: "integer", description: "User age", default: 30 },
        score: { type: "number", description: "User score", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", description: "Verification status", default: true },
      },
      required: [],
    },
  });
  return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;
}

/**
 * Asks with each kind of choice.
 * @tool
 */
export async function test_elicitation_sep1330_enums(context?: ToolContext): Promise<string> {
  const options = ["option1", "option2", "option3"];
  const titled = ["First", "Second", "Third"].map((name, index) => ({
    const: `value${index + 1}`,
    title: `${name} Option`,
  }));
  const answer = await sessionOf(context).elicit({
    message: "Please select options from the enum fields",
    requestedSchema: {
      type: "object",
      properties: {
        untitledSingle: { type: "string", enum: options },
        titledSingle: { type: "string", oneOf: titled },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", minItems: 1, maxItems: 3, items: { type: "string", enum: options } },
        titledMulti: { type: "array", minItems: 1, maxItems: 3, items: { anyOf: titled } },
      },
      required: [],
    },
  });
  return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;
}
