/** The ts-patch plugin: `{ "plugins": [{ "transform": "@tsukumo/transformer" }] }` in tsconfig.json. */
import type { PluginConfig, TransformerExtras } from "ts-patch";
import type ts from "typescript";
import { type CompilerDiagnostic, DiagnosticSink, toTsDiagnostic } from "./diagnostics.js";
import { type CompilerOptions, optionProblems } from "./options.js";
import { transformFile } from "./transform.js";

export interface TsukumoPluginConfig extends PluginConfig, CompilerOptions {}

/** Called by ts-patch once a program. */
export default function tsukumo(
  program: ts.Program,
  config: TsukumoPluginConfig,
  extras: TransformerExtras,
): ts.TransformerFactory<ts.SourceFile> {
  const problems = optionProblems(config, OF_TS_PATCH);
  for (const problem of problems) extras.addDiagnostic(optionDiagnostic(problem, extras));
  if (problems.length > 0) return () => (file) => file;
  const report = reporter(program, extras);
  return (context) => (file) => {
    const sink = new DiagnosticSink(config);
    const result = transformFile(file, program.getTypeChecker(), context, sink, config);
    for (const diagnostic of sink.all) report(diagnostic);
    return result;
  };
}

/** @see https://github.com/nonara/ts-patch#options */
const OF_TS_PATCH: readonly string[] = [
  "name",
  "transform",
  "import",
  "type",
  "after",
  "afterDeclarations",
  "transformProgram",
  "isEsm",
  "resolvePathAliases",
  "tsConfig",
];

function optionDiagnostic(problem: string, { ts: host }: TransformerExtras): ts.Diagnostic {
  return {
    category: host.DiagnosticCategory.Error,
    code: 1000,
    source: "tsukumo",
    messageText: `@tsukumo/transformer in tsconfig.json: ${problem}`,
    file: undefined,
    start: undefined,
    length: undefined,
  };
}

/** To `tsc`, every diagnostic of an emit is a failure, so warnings are printed as it prints them, and not added. */
function reporter(
  program: ts.Program,
  { ts: host, library, addDiagnostic }: TransformerExtras,
): (diagnostic: CompilerDiagnostic) => void {
  const formatHost: ts.FormatDiagnosticsHost = {
    getCurrentDirectory: () => program.getCurrentDirectory(),
    getCanonicalFileName: (name) => name,
    getNewLine: () => host.sys.newLine,
  };
  return (diagnostic) => {
    const converted = toTsDiagnostic(diagnostic, host);
    if (diagnostic.severity === "warning" && library === "tsc")
      host.sys.write(host.formatDiagnostic(converted, formatHost));
    else addDiagnostic(converted);
  };
}
