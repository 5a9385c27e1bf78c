/** The compiler as a bundler plugin. Each bundler's own entry is a file beside this one. */
import { relative } from "node:path";
import { DiagnosticSink, mayHoldTools, optionProblems, rewriteFile } from "@tsukumo/transformer/compiler";
import MagicString from "magic-string";
import { createUnplugin, type UnpluginInstance } from "unplugin";
import type { UnpluginOptions } from "./options.js";
import { ProjectTypes } from "./project-types.js";

export type { UnpluginOptions } from "./options.js";

export const unplugin: UnpluginInstance<UnpluginOptions | undefined> = createUnplugin(
  (options: UnpluginOptions | undefined = {}) => {
    const problems = optionProblems(options, ["tsconfig"]);
    if (problems.length > 0) throw new Error(`@tsukumo/unplugin: ${problems.join(" ")}`);
    let types: ProjectTypes | undefined;
    return {
      name: "tsukumo",
      // Types are gone once the bundler has stripped them.
      enforce: "pre",
      buildStart() {
        types ??= new ProjectTypes(options);
        types.refresh();
      },
      transform: {
        filter: { id: { include: /\.[cm]?tsx?(?:\?|$)/, exclude: [/\.d\.[cm]?ts(?:\?|$)/, /[\\/]node_modules[\\/]/] } },
        handler(code, id) {
          const path = id.split("?")[0] ?? id;
          if (!/@tool|@prompt|@resource|toolDefinition|@tsukumo\/tool/i.test(code)) return null;
          types ??= new ProjectTypes(options);
          const found = types.fileWith(path, code);
          if (found === undefined || !mayHoldTools(found.file)) return null;
          for (const dependency of found.dependencies) this.addWatchFile(dependency);
          const sink = new DiagnosticSink(options);
          const edits = rewriteFile(found.file, found.checker, sink, options);
          for (const template of sink.files) this.addWatchFile(template);
          for (const { code: rule, severity, message, node } of sink.all) {
            const { line, character } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
            const told = {
              message: `${rule}: ${message}`,
              id: node.getSourceFile().fileName,
              loc: { file: relative(process.cwd(), node.getSourceFile().fileName), line: line + 1, column: character },
            };
            if (severity === "error") this.error(told);
            else this.warn(told);
          }
          if (edits.length === 0) return null;
          const text = new MagicString(code);
          for (const { start, end, text: replacement } of edits) {
            if (start === end) text.appendLeft(start, replacement);
            else text.update(start, end, replacement === "" ? " " : replacement);
          }
          return { code: text.toString(), map: text.generateMap({ source: path, hires: "boundary" }) };
        },
      },
    };
  },
);

export default unplugin;
