/** Everything that the compiler refuses or warns of, with the words an author reads. */
import type ts from "typescript";
import type { CompilerOptions } from "./options.js";

export type Severity = "error" | "warning";

interface Rule {
  readonly severity: Severity;
  readonly text: string;
}

/** `{0}`, `{1}` stand for the details. Each message says what is wrong, then what to do. */
export const RULES = {
  TSK1001: rule("error", "{0} cannot be carried by JSON: {1}. {2}"),
  TSK1002: rule(
    "warning",
    "{0} is `unknown`, so the model may send anything here. Give it a type, or keep it and validate the value yourself.",
  ),
  TSK1003: rule(
    "error",
    "{0} is `any`, which would give a schema that accepts everything. Give it a type, or write `unknown` if anything is really welcome.",
  ),
  TSK1004: rule(
    "error",
    "A tool cannot be generic: {0} has type parameters. Wrap it in a function with concrete types and mark that one.",
  ),
  TSK1005: rule(
    "error",
    "`@tool` stands on {0}. Mark a top-level function, a top-level `const` that holds a function, or a method of a top-level class.",
  ),
  TSK1006: rule(
    "error",
    "{0} has overloads, and a model can be told of one signature only. Keep one signature, with a union or optional parameters.",
  ),
  TSK1007: rule("error", "Two tools are named {0}. Rename one, or give one another name with `@tool other_name`."),
  TSK1008: rule(
    "error",
    "The tool name {0} is refused by some providers. Use a letter or `_` first, then letters, digits, `_` and `-`, at most 64 in all. What follows `@tool` is the name; a description stands before the tag.",
  ),
  TSK1009: rule("error", "{0} is no effect. Write `@effect read_only`, `@effect mutating` or `@effect destructive`."),
  TSK1010: rule(
    "warning",
    "The tool {0} has no description, and models choose tools by it. Write a doc comment above it.",
  ),
  TSK1011: rule(
    "warning",
    "The parameter {0} of {1} has no description. Write `@param {0} …`, or a comment `/** … */` before the parameter.",
  ),
  TSK1012: rule("error", "The tag `@{0} {1}` does not fit here: {2}."),
  TSK1013: rule(
    "error",
    "A destructured parameter stands beside other parameters, so its fields have no name of their own. Give it a name, or make it the only parameter.",
  ),
  TSK1014: rule(
    "error",
    "The option {0} of the `@tool` decorator must be a literal, since it is read when the program is built. Write the value itself.",
  ),
  TSK1015: rule(
    "error",
    "`this` is not available in {0}: the function is called on its own. Use an arrow function or a method of a class.",
  ),
  TSK1016: rule(
    "error",
    "The method {0} is {1}, so it cannot be called from outside. Make it public, or move the mark to a public method.",
  ),
  TSK1017: rule(
    "error",
    "The type of {0} is not known here: the type parameter {1} has no concrete type. Use a concrete type in the signature.",
  ),
  TSK1018: rule(
    "error",
    "{0} is not exported, so generated code cannot import it. Export it, or build with the transformer instead of `tsukumo gen`.",
  ),
  TSK1019: rule(
    "error",
    "The regular expression {0} is not valid in a JSON Schema (flag u): {1}. Correct the pattern.",
  ),
  TSK1020: rule(
    "error",
    "`toolDefinition` needs a function whose declaration can be seen from here; {0} has none. Pass the function itself.",
  ),
  TSK1021: rule("warning", "`@param {0}` names no parameter of {1}. Correct the name, or remove the tag."),
  TSK1022: rule(
    "error",
    "The resource URI {0} cannot be used: {1}. Write a URI whose variables are the parameters, such as `file:///config/{app}.json`.",
  ),
  TSK1023: rule("warning", "{0} cannot be expressed for {1}: {2}. Change the type, or do not offer the tool there."),
  TSK1024: rule(
    "error",
    "{0} cannot be expressed for {1}: {2}. Change the type, or take the dialect out of the option `dialects`.",
  ),
  TSK1025: rule(
    "warning",
    "{0} cannot be carried by JSON, so the model would not see it, and the tool gets no output schema: {1}. {2}",
  ),
  TSK1026: rule(
    "warning",
    "The comment of {0} stands on the line of the opening brace, where TypeScript does not read it. Put it on a line of its own.",
  ),
  TSK1027: rule("error", "{2} has both {0} and {1}. Keep one of them."),
  TSK1028: rule("error", "The template is wrong at {0}: {1}\n{2}"),
  TSK1029: rule("error", "There is no template file {0}. Write its path as seen from this source file."),
  TSK1030: rule(
    "error",
    "The response template does not fit what {0} returns: {1}. Change the template's `params` or the return type.",
  ),
  TSK1031: rule(
    "error",
    "{0} is a {1}, and only tools have response templates. Remove the template, or return the text yourself.",
  ),
  TSK1032: rule("error", "{0} is no way to sanitise. Write `none`, `tokens` or `quarantine`."),
  TSK1033: rule(
    "error",
    "{0} returns `Untrusted` text, so it is always sanitised. Write `tokens` or `quarantine`, or leave it out.",
  ),
  TSK1034: rule(
    "error",
    "{1} has {0} but no template that takes them. Begin the description with `---`, or name a file in `descriptionFile`.",
  ),
  TSK1035: rule("warning", "The tag `@{0}` is not known and does nothing. Did you mean `@{1}`?"),
} as const satisfies Record<string, Rule>;

export type RuleCode = keyof typeof RULES;

/** A message at its place. */
export interface CompilerDiagnostic {
  readonly code: RuleCode;
  readonly severity: Severity;
  readonly message: string;
  /** What the message was made of. */
  readonly details: readonly string[];
  readonly node: ts.Node;
}

const DOCUMENTATION: ReadonlySet<RuleCode> = new Set(["TSK1010", "TSK1011"]);

/** Collects what is found in one run of the compiler. */
export class DiagnosticSink {
  readonly all: CompilerDiagnostic[] = [];
  /** Files other than sources that were looked for: the result depends on them. */
  readonly files = new Set<string>();
  readonly #options: Pick<CompilerOptions, "strict">;

  constructor(options: Pick<CompilerOptions, "strict"> = {}) {
    this.#options = options;
  }

  report(code: RuleCode, node: ts.Node, ...details: readonly string[]): void {
    const severity = this.#options.strict && DOCUMENTATION.has(code) ? "error" : RULES[code].severity;
    const text = RULES[code].text.replace(/\{(\d)\}/g, (_, index: string) => details[Number(index)] ?? "").trim();
    const message = text.charAt(0).toUpperCase() + text.slice(1);
    if (this.all.some((other) => other.node === node && other.code === code && other.message === message)) return;
    this.all.push({ code, severity, message, details, node });
  }

  get hasErrors(): boolean {
    return this.all.some((diagnostic) => diagnostic.severity === "error");
  }
}

/** The number in TypeScript's diagnostics: `TSK1001` is shown as `TS1001` would be, with the code in front of the text. */
export function toTsDiagnostic(diagnostic: CompilerDiagnostic, tsModule: typeof ts): ts.DiagnosticWithLocation {
  const file = diagnostic.node.getSourceFile();
  const start = diagnostic.node.getStart(file);
  return {
    category: diagnostic.severity === "error" ? tsModule.DiagnosticCategory.Error : tsModule.DiagnosticCategory.Warning,
    code: Number(diagnostic.code.slice(3)),
    source: "tsukumo",
    messageText: `${diagnostic.code}: ${diagnostic.message}`,
    file,
    start,
    length: diagnostic.node.getEnd() - start,
  };
}

function rule(severity: Severity, text: string): Rule {
  return { severity, text };
}
