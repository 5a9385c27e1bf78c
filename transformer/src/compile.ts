/** One source file -> the models of its tools. What the transformer and every other front end start with. */
import type ts from "typescript";
import { analyseTool, reportDuplicates } from "./analyse.js";
import type { DiagnosticSink } from "./diagnostics.js";
import { checkDialects } from "./dialect-check.js";
import { discoverTools, mayHoldTools, type ToolSite } from "./discover.js";
import type { ToolModel } from "./model.js";
import type { CompilerOptions } from "./options.js";

export interface CompiledTool {
  readonly site: ToolSite;
  readonly model: ToolModel;
}

/** The tools of a file in the order of the source; those with errors are left out and told in the sink. */
export function compileFile(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  sink: DiagnosticSink,
  options: CompilerOptions = {},
): CompiledTool[] {
  if (!mayHoldTools(file)) return [];
  const tools: CompiledTool[] = [];
  for (const site of discoverTools(file, checker, sink)) {
    const model = analyseTool(site, { checker, sink, options });
    if (model === undefined) continue;
    checkDialects(model, site, { checker, sink, options });
    tools.push({ site, model });
  }
  reportDuplicates(
    tools.map((tool) => tool.model),
    sink,
  );
  return tools;
}
