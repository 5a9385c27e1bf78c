/** The tools of a project, with what the compiler has to say of them. */

import {
  type CompiledTool,
  type CompilerDiagnostic,
  type CompilerOptions,
  compileFile,
  DiagnosticSink,
  dependenciesOf,
  reportDuplicates,
  ts,
} from "@tsukumo/transformer/compiler";
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

/** What was made of each file, for as long as neither it nor what it imports has changed. */
export type CompileCache = Map<string, CachedFile>;

interface CachedFile {
  /** The file and its imports, as they were. */
  readonly seen: readonly ts.SourceFile[];
  /** The text of the templates that were looked for; undefined where there was no file. */
  readonly templates: ReadonlyMap<string, string | undefined>;
  readonly tools: readonly CompiledTool[];
  readonly diagnostics: readonly CompilerDiagnostic[];
}

/** @throws {CliError} with every error and its code frame */
export function compileProject(project: ToolProject, options: CompileOptions = {}, cache?: CompileCache): FileTools[] {
  const settings = options.strict === undefined ? project.options : { ...project.options, strict: options.strict };
  const sink = new DiagnosticSink(settings);
  refuseSyntaxErrors(project);
  const compiled: FileTools[] = [];
  for (const file of project.files) {
    const { tools, diagnostics } = compileCached(file, project, settings, cache);
    sink.all.push(...diagnostics);
    if (tools.length > 0) compiled.push({ file, tools });
  }
  const functions = compiled
    .flatMap(({ tools }) => tools.map((tool) => tool.model))
    .filter((model) => model.role === "tool" && model.target.kind === "function");
  reportDuplicates(functions, sink);
  reportDiagnostics(sink, options.warnings !== false);
  return compiled;
}

/** What does not parse has no signatures to read. */
function refuseSyntaxErrors({ program, files }: ToolProject): void {
  const errors = files.flatMap((file) => program.getSyntacticDiagnostics(file));
  if (errors.length === 0) return;
  const host = {
    getCurrentDirectory: () => process.cwd(),
    getCanonicalFileName: (name: string) => name,
    getNewLine: () => "\n",
  };
  throw new CliError(ts.formatDiagnostics(errors, host).trimEnd());
}

function compileCached(
  file: ts.SourceFile,
  project: ToolProject,
  settings: CompilerOptions,
  cache: CompileCache | undefined,
): CachedFile {
  const seen = cache === undefined ? [] : [file, ...dependenciesOf(file, project.program)];
  const known = cache?.get(file.fileName);
  if (known !== undefined && isCurrent(known, seen)) return known;
  const sink = new DiagnosticSink(settings);
  const tools = compileFile(file, project.program.getTypeChecker(), sink, settings);
  const templates = new Map([...sink.files].map((path) => [path, ts.sys.readFile(path)]));
  const made: CachedFile = { seen, templates, tools, diagnostics: sink.all };
  cache?.set(file.fileName, made);
  return made;
}

function isCurrent(known: CachedFile, seen: readonly ts.SourceFile[]): boolean {
  return (
    known.seen.length === seen.length &&
    known.seen.every((source, index) => source === seen[index]) &&
    [...known.templates].every(([path, text]) => ts.sys.readFile(path) === text)
  );
}

/** The template files that what is in the cache depends on. */
export function templateFiles(cache: CompileCache): Set<string> {
  return new Set([...cache.values()].flatMap(({ templates }) => [...templates.keys()]));
}

/** Prints warnings, throws errors. */
export function reportDiagnostics(sink: DiagnosticSink, warnings: boolean): void {
  const { all } = sink;
  const notes = all.filter((diagnostic) => diagnostic.severity === "warning");
  if (warnings && notes.length > 0) process.stderr.write(`${formatDiagnostics(notes)}\n`);
  const errors = all.filter((diagnostic) => diagnostic.severity === "error");
  if (errors.length > 0) throw new CliError(formatDiagnostics(errors));
}
