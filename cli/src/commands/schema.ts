import { DIALECTS, type Dialect, isDialect, toDialect } from "@tsukumo/tool/dialects";
import { type MetaJson, metaOf, type ToolModel } from "@tsukumo/transformer/compiler";
import { defineCommand } from "citty";
import { compileProject } from "../compile-project.js";
import { CliError, UsageError } from "../failure.js";
import { loadProject } from "../project.js";

export const schema = defineCommand({
  meta: {
    name: "schema",
    description: "Print the tools of a file or folder as JSON: name, description, schemas, effect",
  },
  args: {
    path: { type: "positional", required: true, description: "A TypeScript file or a folder of tools" },
    tool: { type: "string", valueHint: "name", description: "Only this tool" },
    dialect: {
      type: "string",
      valueHint: "name",
      description: `Convert the input schemas to what this provider accepts: ${Object.keys(DIALECTS).join(", ")}`,
    },
    strict: { type: "boolean", description: "Missing documentation is an error" },
  },
  run({ args }) {
    const compiled = compileProject(loadProject(args.path), args.strict === true ? { strict: true } : {});
    const { dialect } = args;
    if (dialect !== undefined && !isDialect(dialect))
      throw new UsageError(`There is no dialect ${dialect}. Known are: ${Object.keys(DIALECTS).join(", ")}.`);
    const all = compiled.flatMap(({ tools }) =>
      tools
        .filter(({ model }) => model.role === "tool")
        .map(({ model }) => (dialect === undefined ? metaOf(model) : metaFor(model, dialect))),
    );
    const tools = args.tool === undefined ? all : all.filter((meta) => meta.name === args.tool);
    if (tools.length === 0) {
      const known = all.map((meta) => meta.name).join(", ");
      throw new CliError(
        args.tool === undefined
          ? `No tool was found in ${args.path}. Mark a function with @tool in its doc comment.`
          : `There is no tool ${args.tool}. Known are: ${known}.`,
      );
    }
    process.stdout.write(`${JSON.stringify({ tools }, undefined, 2)}\n`);
  },
});

function metaFor(model: ToolModel, dialect: Dialect): MetaJson {
  const meta = metaOf(model);
  const { schema: inputSchema, problems } = toDialect(meta.inputSchema, dialect);
  for (const { path, message } of problems) {
    process.stderr.write(`${model.name} ${path}: cannot be expressed for ${DIALECTS[dialect].label}: ${message}\n`);
  }
  return { ...meta, inputSchema };
}
