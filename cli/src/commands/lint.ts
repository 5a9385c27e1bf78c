import { DIALECTS, isDialect } from "@tsukumo/tool/dialects";
import { compileFile, DiagnosticSink } from "@tsukumo/transformer/compiler";
import { defineCommand } from "citty";
import { formatDiagnostics } from "../code-frame.js";
import { CliError, UsageError } from "../failure.js";
import { loadProject } from "../project.js";

export const lint = defineCommand({
  meta: { name: "lint", description: "Show what providers would refuse and what models would miss; exit 1 on errors" },
  args: {
    path: { type: "positional", required: true, description: "A TypeScript file or a folder of tools" },
    dialects: {
      type: "string",
      valueHint: "a,b",
      description: `Dialects that every tool must fit, as errors: ${Object.keys(DIALECTS).join(", ")}`,
    },
    strict: { type: "boolean", description: "Missing documentation is an error" },
    "max-warnings": { type: "string", valueHint: "n", description: "Exit 1 when there are more warnings than this" },
    json: { type: "boolean", description: "Print [{code, severity, message, file, line, column}]" },
  },
  run({ args }) {
    const project = loadProject(args.path);
    const dialects = args.dialects?.split(",").map((name) => {
      const trimmed = name.trim();
      if (isDialect(trimmed)) return trimmed;
      throw new UsageError(`There is no dialect ${trimmed}. Known are: ${Object.keys(DIALECTS).join(", ")}.`);
    });
    const options = {
      ...project.options,
      ...(args.strict === true ? { strict: true } : {}),
      ...(dialects === undefined ? {} : { dialects }),
    };
    const sink = new DiagnosticSink(options);
    const checker = project.program.getTypeChecker();
    let tools = 0;
    for (const file of project.files) tools += compileFile(file, checker, sink, options).length;
    const warnings = sink.all.filter((diagnostic) => diagnostic.severity === "warning").length;
    const errors = sink.all.length - warnings;
    if (args.json === true) process.stdout.write(`${JSON.stringify(sink.all.map(plain), undefined, 2)}\n`);
    else if (sink.all.length > 0) process.stdout.write(`${formatDiagnostics(sink.all)}\n\n`);
    const most = args["max-warnings"] === undefined ? Number.POSITIVE_INFINITY : Number(args["max-warnings"]);
    if (Number.isNaN(most)) throw new UsageError(`--max-warnings takes a number, not ${args["max-warnings"]}.`);
    const summary = `${count(tools, "tool")}, ${count(errors, "error")}, ${count(warnings, "warning")}`;
    if (errors > 0 || warnings > most) throw new CliError(summary);
    process.stderr.write(`${summary}\n`);
  },
});

function plain({ code, severity, message, node }: DiagnosticSink["all"][number]): object {
  const file = node.getSourceFile();
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return { code, severity, message, file: file.fileName, line: line + 1, column: character + 1 };
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
