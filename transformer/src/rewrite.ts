/**
 * The transformer for tools that take text: the same definitions as edits of the source, which stays TypeScript. What
 * the file already says keeps its place, so that source maps stay short.
 */
import ts from "typescript";
import { attachments } from "./attachments.js";
import { FILTERS, FILTERS_MODULE, quote, RUNTIME, RUNTIME_MODULE } from "./code.js";
import { compileFile } from "./compile.js";
import type { DiagnosticSink } from "./diagnostics.js";
import { decoratorNamed, mayHoldTools } from "./discover.js";
import { inlineDefinitions } from "./inline.js";
import type { CompilerOptions } from "./options.js";

/** Replaces `start..end` of the source by `text`; equal offsets insert. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits that do not overlap, in the order of the source; none where the file has nothing to define. */
export function rewriteFile(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  sink: DiagnosticSink,
  options: CompilerOptions = {},
): Edit[] {
  if (!mayHoldTools(file)) return [];
  const edits: Edit[] = [];
  const tools = compileFile(file, checker, sink, options);
  for (const [statement, text] of attachments(tools)) {
    // The semicolon ends what the author left open.
    edits.push({ start: statement.end, end: statement.end, text: `;\n${text}` });
  }
  for (const [node, text] of inlineDefinitions(file, { checker, sink, options })) {
    if (!ts.isCallExpression(node)) continue;
    const argument = node.arguments[0]?.getText() ?? "";
    edits.push({ start: node.getStart(), end: node.end, text: `${text.slice(0, -1)}, ${argument})` });
  }
  if (edits.length === 0) return [];
  edits.push(...markerEdits(file, checker));
  const first = file.statements.find((s) => !(ts.isExpressionStatement(s) && ts.isStringLiteral(s.expression)));
  const at = first?.getStart(file, true) ?? 0;
  const usesFilters = tools.some(({ model }) => model.response !== undefined);
  const filters = usesFilters ? `import * as ${FILTERS} from ${quote(FILTERS_MODULE)}; ` : "";
  edits.push({ start: at, end: at, text: `import * as ${RUNTIME} from ${quote(RUNTIME_MODULE)}; ${filters}` });
  return edits.sort((a, b) => a.start - b.start || a.end - b.end);
}

function markerEdits(file: ts.SourceFile, checker: ts.TypeChecker): Edit[] {
  const edits: Edit[] = [];
  for (const statement of file.statements) {
    if (!ts.isClassDeclaration(statement)) continue;
    const marked = [
      decoratorNamed(statement, "toolRegistry", checker),
      ...statement.members.map((member) =>
        ts.isMethodDeclaration(member) ? decoratorNamed(member, "tool", checker) : undefined,
      ),
    ];
    for (const decorator of marked)
      if (decorator !== undefined) edits.push({ start: decorator.getStart(file), end: decorator.end, text: "" });
  }
  return edits;
}
