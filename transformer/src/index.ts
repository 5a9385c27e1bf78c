/** The ts-patch plugin: `{ "plugins": [{ "transform": "@tsukumo/transformer" }] }` in tsconfig.json. */
import type ts from "typescript";
import type { PluginConfig, TransformerExtras } from "ts-patch";
import { DiagnosticSink, toTsDiagnostic } from "./diagnostics.js";
import { transformFile } from "./transform.js";

export interface TsukumoPluginConfig extends PluginConfig {
  /** Missing documentation is an error, not a warning. */
  readonly strict?: boolean;
}

/** Called by ts-patch once a program. */
export default function tsukumo(
  program: ts.Program,
  config: TsukumoPluginConfig,
  extras: TransformerExtras,
): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (file) => {
    const sink = new DiagnosticSink({ strict: config.strict === true });
    const result = transformFile(file, program.getTypeChecker(), context, sink);
    for (const diagnostic of sink.all) extras.addDiagnostic(toTsDiagnostic(diagnostic, extras.ts));
    return result;
  };
}
