/** The compiler behind the plugin, for the CLI and the bundler plugins. */

/** The compiler that this package reads types with; whoever makes programs for it must use the same. */
export { default as ts } from "typescript";
export { reportDuplicates } from "./analyse.js";
export { type MetaJson, metaOf } from "./blueprint.js";
export { type CompiledTool, compileFile } from "./compile.js";
export { dependenciesOf } from "./dependencies.js";
export { type CompilerDiagnostic, DiagnosticSink, RULES, type RuleCode, toTsDiagnostic } from "./diagnostics.js";
export { mayHoldTools } from "./discover.js";
export { GENERATED, type GenerateSource, generateModule } from "./generate.js";
export type { ToolModel } from "./model.js";
export { type CompilerOptions, optionProblems } from "./options.js";
export { type Edit, rewriteFile } from "./rewrite.js";
export { transformFile } from "./transform.js";
