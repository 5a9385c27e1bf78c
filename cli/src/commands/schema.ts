import { metaOf } from "@tsukumo/transformer/compiler";
import { defineCommand } from "citty";
import { compileProject } from "../compile-project.js";
import { CliError } from "../failure.js";
import { loadProject } from "../project.js";

export const schema = defineCommand({
  meta: {
    name: "schema",
    description: "Print the tools of a file or folder as JSON: name, description, schemas, effect",
  },
  args: {
    path: { type: "positional", required: true, description: "A TypeScript file or a folder of tools" },
    tool: { type: "string", valueHint: "name", description: "Only this tool" },
    strict: { type: "boolean", description: "Missing documentation is an error" },
  },
  run({ args }) {
    const compiled = compileProject(loadProject(args.path), { strict: args.strict === true });
    const all = compiled.flatMap(({ tools }) =>
      tools.filter(({ model }) => model.role === "tool").map(({ model }) => metaOf(model)),
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
