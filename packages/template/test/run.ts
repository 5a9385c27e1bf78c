/** Runs a template both ways: rendered at build time, and as the code that ships. They must agree. */
import * as filters from "../src/filters/index.js";
import { type CheckOptions, checkTemplate, emitTemplate, renderTemplate } from "../src/index.js";

export function compile(text: string, options: CheckOptions = {}): (values: object) => string {
  const code = emitTemplate(checkTemplate(text, "test.tmpl.md", options), { typescript: false, filters: "f" });
  return new Function("f", `return ${code}`)(filters);
}

/** @throws where the two disagree */
export function run(text: string, values: Record<string, unknown> = {}, options: CheckOptions = {}): string {
  const compiled = compile(text, options)(values);
  const rendered = renderTemplate(checkTemplate(text, "test.tmpl.md", options), values);
  if (compiled !== rendered)
    throw new Error(`Compiled ${JSON.stringify(compiled)}, rendered ${JSON.stringify(rendered)}`);
  return compiled;
}

/** A template that declares the parameters. */
export function withParams(params: readonly string[], body: string): string {
  return `---\nparams:\n${params.map((param) => `  - ${param}\n`).join("")}---\n${body}`;
}

/** Files for includes, by path; `./x` is beside the file that names it. */
export function files(texts: Readonly<Record<string, string>>): CheckOptions {
  return { read: (path) => texts[path], resolve: (_, path) => path.replace("./", "") };
}
