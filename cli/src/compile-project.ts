/** The tools of a project, with what the compiler has to say of them. */
import { type CompiledTool, compileFile, DiagnosticSink, reportDuplicates } from "@tsukumo/transformer/compiler";
import type ts from "typescript";
import { formatDiagnostics } from "./code-frame.js";
import { CliError } from "./failure.js";
import type { ToolProject } from "./project.js";

export interface FileTools {
  readonly file: ts.SourceFile;
  readonly tools: readonly CompiledTool[];
}

export interface CompileOptions {
  /** Missing documentation is an error. */
  readonly strict?: boolean;
  /** Print warnings to stderr. */
  readonly warnings?: boolean;
}

/** @throws {CliError} with every error and its code frame */
export function compileProject(project: ToolProject, options: CompileOptions = {}): FileTools[] {
  const checker = project.program.getTypeChecker();
  const settings = options.strict === undefined ? project.options : { ...project.options, strict: options.strict };
  const sink = new DiagnosticSink(settings);
  const compiled = project.files
    .map((file) => ({ file, tools: compileFile(file, checker, sink, settings) }))
    .filter(({ tools }) => tools.length > 0);
  const functions = compiled
    .flatMap(({ tools }) => tools.map((tool) => tool.model))
    .filter((model) => model.role === "tool" && model.target.kind === "function");
  reportDuplicates(functions, sink);
  reportDiagnostics(sink, options.warnings !== false);
  return compiled;
}

/** Prints warnings, throws errors. */
export function reportDiagnostics(sink: DiagnosticSink, warnings: boolean): void {
  const { all } = sink;
  const notes = all.filter((diagnostic) => diagnostic.severity === "warning");
  if (warnings && notes.length > 0) process.stderr.write(`${formatDiagnostics(notes)}\n`);
  const errors = all.filter((diagnostic) => diagnostic.severity === "error");
  if (errors.length > 0) throw new CliError(formatDiagnostics(errors));
}
