/** The metas of a folder's tools, for the commands that look at them. */
import { type MetaJson, metaOf } from "@tsukumo/transformer/compiler";
import { type CompileOptions, compileProject } from "./compile-project.js";
import { CliError } from "./failure.js";
import { loadProject } from "./project.js";

/** In the order of the source. @throws {CliError} with every error, or where there is no tool */
export function toolMetas(path: string, options: CompileOptions = {}): MetaJson[] {
  const metas = compileProject(loadProject(path), options).flatMap(({ tools }) =>
    tools.filter(({ model }) => model.role === "tool").map(({ model }) => metaOf(model)),
  );
  if (metas.length === 0)
    throw new CliError(`No tool was found in ${path}. Mark a function with @tool in its doc comment.`);
  return metas;
}
