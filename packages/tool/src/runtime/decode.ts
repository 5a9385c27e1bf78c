/** JSON text from a model -> checked arguments. The happy path is one JSON.parse and one generated predicate. */
import { type ArgumentIssue, ToolError } from "../error.js";
import type { JsonSchema } from "../json.js";
import { explain } from "./explain.js";
import { parseLenient } from "./lenient-json.js";
import { shorten } from "./problem-walk.js";
import { repair } from "./repair.js";

/** More problems than this are counted, not listed. */
const MAX_LISTED = 25;

/** What is needed of a blueprint here, whatever it is for. */
export interface Checked {
  readonly meta: { readonly name: string; readonly inputSchema: JsonSchema };
  readonly is: (value: unknown) => boolean;
  readonly revive?: (args: unknown) => unknown;
  readonly strict?: boolean;
}

/** @throws {ToolError} `InvalidArgument` naming every problem */
export function decodeArguments(blueprint: Checked, text: string): unknown {
  return decodeValue(blueprint, parseArguments(blueprint, text));
}

/** The same for a parsed value, which may be changed. */
export function decodeValue(blueprint: Checked, given: unknown): unknown {
  try {
    return check(blueprint, given);
  } catch (thrown) {
    // The stack ends before JSON.parse does.
    if (!(thrown instanceof RangeError)) throw thrown;
    const issue: ArgumentIssue = { path: "$input", kind: "type", expected: "values that nest less deeply" };
    throw ToolError.invalidArgument(issuesText(blueprint.meta.name, [issue]), [issue], thrown);
  }
}

function check(blueprint: Checked, given: unknown): unknown {
  let value = given;
  if (!blueprint.is(value)) {
    if (!blueprint.strict) value = repair(blueprint.meta.inputSchema, value);
    if (blueprint.strict || !blueprint.is(value)) {
      const issues = explain(blueprint.meta.inputSchema, value);
      throw ToolError.invalidArgument(issuesText(blueprint.meta.name, issues), issues);
    }
  }
  return blueprint.revive === undefined ? value : blueprint.revive(value);
}

function parseArguments(blueprint: Checked, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "null") return {};
  try {
    return JSON.parse(trimmed);
  } catch (cause) {
    const repaired = blueprint.strict ? undefined : parseLenient(trimmed);
    if (repaired !== undefined) return repaired.value;
    const issue: ArgumentIssue = {
      path: "$input",
      kind: "syntax",
      expected: "a JSON object",
      received: shorten(trimmed),
    };
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw ToolError.invalidArgument(
      `The arguments of ${blueprint.meta.name} are not complete, valid JSON (${reason}), so the tool was not run. Send the whole JSON object again.`,
      [issue],
      cause,
    );
  }
}

function issuesText(name: string, issues: readonly ArgumentIssue[]): string {
  const lines = issues.slice(0, MAX_LISTED).map((issue) => {
    switch (issue.kind) {
      case "missing":
        return `- ${issue.path}: missing, expected ${issue.expected}`;
      case "extra":
        return `- ${issue.path}: unknown property, ${issue.expected}`;
      case "type":
      case "syntax":
        return `- ${issue.path}: expected ${issue.expected}, got ${issue.received ?? "nothing"}`;
    }
  });
  const more = issues.length > MAX_LISTED ? [`- and ${issues.length - MAX_LISTED} more`] : [];
  const count = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
  return [
    `Invalid arguments for ${name} (${count}). Correct all of them and call the tool again:`,
    ...lines,
    ...more,
  ].join("\n");
}
