/** A resource's URI, checked against the parameters of its function. */
import type { DiagnosticSink } from "./diagnostics.js";
import type { ToolSite } from "./discover.js";
import type { ParameterModel } from "./model.js";

const VARIABLE = /\{(\+?)([^{}]*)\}/g;

/**
 * The URI, or undefined where it was refused. `{name}` stands for one path segment, `{+name}` for the rest with its
 * slashes. @see https://www.rfc-editor.org/rfc/rfc6570 levels 1 and 2
 */
export function checkedUri(
  site: ToolSite,
  parameters: readonly ParameterModel[],
  sink: DiagnosticSink,
): string | undefined {
  const { uri = "" } = site.options;
  const shown = JSON.stringify(uri);
  const refuse = (why: string): undefined => {
    sink.report("TSK1022", site.name, shown, why);
    return undefined;
  };
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return refuse("it has no scheme, such as `file:` or `app:`");
  const variables = [...uri.matchAll(VARIABLE)].map((match) => match[2] ?? "");
  if (/[{}]/.test(uri.replace(VARIABLE, ""))) return refuse("its braces do not pair");
  if (/\}\{/.test(uri)) return refuse("two variables stand side by side, so nobody can tell where one ends");
  const twice = variables.find((name, index) => variables.indexOf(name) !== index);
  if (twice !== undefined) return refuse(`the variable ${twice} stands in it twice`);
  const names = parameters.flatMap((parameter) => (parameter.kind === "property" ? [parameter.name] : []));
  if (parameters.some((parameter) => parameter.kind === "rest" || parameter.kind === "object")) {
    return refuse("its function takes an object or a rest parameter; take one parameter for each variable");
  }
  const unknown = variables.find((name) => !names.includes(name));
  if (unknown !== undefined)
    return refuse(`its variable ${JSON.stringify(unknown)} is no parameter of ${site.name.text}`);
  const missing = parameters.find((p) => p.kind === "property" && !p.optional && !variables.includes(p.name));
  if (missing?.kind === "property") return refuse(`the parameter ${missing.name} is not in it`);
  return uri;
}
