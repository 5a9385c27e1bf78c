/** JSON text from a model -> checked arguments. The happy path is one JSON.parse and one generated predicate. */
import { type ArgumentIssue, ToolError } from "../error.js";
import type { ToolBlueprint } from "./blueprint.js";
import { explain } from "./explain.js";
import { parseLenient } from "./lenient-json.js";
import { repair } from "./repair.js";

/** More problems than this are counted, not listed. */
const MAX_LISTED = 25;

/** @throws {ToolError} `InvalidArgument` naming every problem */
export function decodeArguments(blueprint: ToolBlueprint, text: string): unknown {
  let value = parseArguments(blueprint, text);
  if (!blueprint.is(value)) {
    if (!blueprint.strict) value = repair(blueprint.meta.inputSchema, value);
    if (blueprint.strict || !blueprint.is(value)) {
      const issues = explain(blueprint.meta.inputSchema, value);
      throw ToolError.invalidArgument(issuesText(blueprint.meta.name, issues), issues);
    }
  }
  return blueprint.revive === undefined ? value : blueprint.revive(value);
}

function parseArguments(blueprint: ToolBlueprint, text: string): unknown {
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

export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
