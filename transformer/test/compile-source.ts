/** Compiles source text as a tool file would be, without touching the disk. */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { compileFile } from "../src/compile.js";
import { DiagnosticSink } from "../src/diagnostics.js";
import { transformFile } from "../src/transform.js";

const ROOT = fileURLToPath(new URL("./", import.meta.url));
const TOOL = fileURLToPath(new URL("../../packages/tool/dist/index.d.ts", import.meta.url));

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  strict: true,
  types: [],
  skipLibCheck: true,
  paths: { "@tsukumo/tool": [TOOL] },
};

// Parsing the libraries takes longer than everything else together.
const cache = new Map<string, ts.SourceFile | undefined>();

export function programOf(files: Readonly<Record<string, string>>, options: ts.CompilerOptions = {}): ts.Program {
  const merged = { ...OPTIONS, ...options };
  const host = ts.createCompilerHost(merged);
  const original = host.getSourceFile.bind(host);
  host.getSourceFile = (name, languageVersion) => {
    const text = files[name.slice(ROOT.length)];
    if (name.startsWith(ROOT) && text !== undefined) return ts.createSourceFile(name, text, languageVersion, true);
    if (!cache.has(name)) cache.set(name, original(name, languageVersion));
    return cache.get(name);
  };
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => (name.startsWith(ROOT) && files[name.slice(ROOT.length)] !== undefined) || exists(name);
  return ts.createProgram(
    Object.keys(files).map((name) => ROOT + name),
    merged,
    host,
  );
}

export interface Compiled {
  readonly tools: ReturnType<typeof compileFile>;
  readonly sink: DiagnosticSink;
  readonly program: ts.Program;
  readonly file: ts.SourceFile;
}

/** The tools of one file's text, and what was said of it. TypeScript's own errors fail the test. */
export function compileSource(text: string, options: { readonly strict?: boolean } = {}): Compiled {
  const program = programOf({ "tool.ts": text });
  const file = program.getSourceFile(`${ROOT}tool.ts`);
  if (file === undefined) throw new Error("The source file is missing from the program.");
  const errors = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  if (errors.length > 0) {
    throw new Error(errors.map((error) => ts.flattenDiagnosticMessageText(error.messageText, "\n")).join("\n"));
  }
  const sink = new DiagnosticSink(options);
  return { tools: compileFile(file, program.getTypeChecker(), sink), sink, program, file };
}

/** The JavaScript that the transformer makes of the text. */
export function emitSource(text: string, options: ts.CompilerOptions = {}): string {
  const program = programOf({ "tool.ts": text }, options);
  const sink = new DiagnosticSink();
  let output = "";
  program.emit(
    program.getSourceFile(`${ROOT}tool.ts`),
    (name, written) => {
      if (name.endsWith(".js")) output = written;
    },
    undefined,
    false,
    { before: [(context) => (file) => transformFile(file, program.getTypeChecker(), context, sink)] },
  );
  const [error] = sink.all.filter((diagnostic) => diagnostic.severity === "error");
  if (error !== undefined) throw new Error(`${error.code}: ${error.message}`);
  return output;
}
