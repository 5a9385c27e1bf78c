/**
 * The compiler's diagnostics in an editor, as a plugin of TypeScript's own server:
 * `{ "plugins": [{ "name": "@tsukumo/transformer/language-service" }] }`, beside the transformer's entry.
 * @see https://github.com/microsoft/TypeScript/wiki/Writing-a-Language-Service-Plugin
 */
import type tsserver from "typescript/lib/tsserverlibrary.js";
import { compileFile } from "./compile.js";
import { DiagnosticSink, toTsDiagnostic } from "./diagnostics.js";
import { mayHoldTools } from "./discover.js";
import { type CompilerOptions, isOption, optionProblems } from "./options.js";

export function init({ typescript }: { readonly typescript: typeof tsserver }): tsserver.server.PluginModule {
  return {
    create(info) {
      const service = info.languageService;
      const options = optionsOf(info);
      return new Proxy(service, {
        get(target, key, receiver) {
          if (key !== "getSemanticDiagnostics") return Reflect.get(target, key, receiver);
          return (fileName: string) => [
            ...service.getSemanticDiagnostics(fileName),
            ...toolDiagnostics(fileName, service, options, typescript),
          ];
        },
      });
    },
  };
}

/** The editor shows what the build will say, so the transformer's own options count. */
function optionsOf(info: tsserver.server.PluginCreateInfo): CompilerOptions {
  const plugins: unknown = info.project.getCompilerOptions().plugins;
  const transformer = Array.isArray(plugins)
    ? plugins.find((plugin) => plugin?.transform === "@tsukumo/transformer")
    : undefined;
  const options = transformer ?? info.config;
  // What is wrong with them is said by the build; an editor must not stop at it.
  return optionProblems(
    options,
    Object.keys(options).filter((name) => !isOption(name)),
  ).length > 0
    ? {}
    : options;
}

function toolDiagnostics(
  fileName: string,
  service: tsserver.LanguageService,
  options: CompilerOptions,
  typescript: typeof tsserver,
): tsserver.Diagnostic[] {
  const program = service.getProgram();
  const file = program?.getSourceFile(fileName);
  if (program === undefined || file === undefined || !mayHoldTools(file)) return [];
  const sink = new DiagnosticSink(options);
  compileFile(file, program.getTypeChecker(), sink, options);
  return sink.all.map((diagnostic) => toTsDiagnostic(diagnostic, typescript));
}
