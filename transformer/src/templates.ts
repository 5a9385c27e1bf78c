/** What a tool's templates make of its description and of what it returns. */
import { type CheckedTemplate, renderTemplate } from "@tsukumo/template";
import ts from "typescript";
import type { AnalysisScope } from "./analyse.js";
import type { ToolSite } from "./discover.js";
import type { Sanitize } from "./model.js";
import { fieldsMisfit, holdsUntrusted, typeMisfit } from "./template-fit.js";
import { loadTemplate, reportTemplateError, type TemplateLiterals, type TemplateOption } from "./template-source.js";

/** The option of a pair that was given; both are an error. */
function oneOf(
  site: ToolSite,
  text: "description" | "response",
  file: "descriptionFile" | "responseFile",
  { sink }: AnalysisScope,
): TemplateOption | undefined {
  const { options } = site;
  if (options[text] !== undefined && options[file] !== undefined) {
    sink.report("TSK1027", site.name, `\`${text}\``, `\`${file}\``, `\`${site.name.text}\``);
    return undefined;
  }
  const node = options.nodes?.[text] ?? options.nodes?.[file] ?? site.name;
  if (options[file] !== undefined) return { file: options[file], node };
  return options[text] === undefined ? undefined : { text: options[text], node };
}

/** The description that the options give; undefined where they give none. Text that does not begin with `---` is literal. */
export function optionDescription(site: ToolSite, scope: AnalysisScope): string | undefined {
  const { options } = site;
  const { sink } = scope;
  const option = oneOf(site, "description", "descriptionFile", scope);
  const isTemplate = option !== undefined && (option.file !== undefined || isTemplateText(option.text));
  const literals = options.templateParams ?? {};
  const hasResponse = options.response !== undefined || options.responseFile !== undefined;
  if (!isTemplate && !hasResponse && options.env !== undefined)
    sink.report("TSK1034", site.name, "env values", `\`${site.name.text}\``);
  if (!isTemplate || option === undefined) {
    if (Object.keys(literals).length > 0)
      sink.report("TSK1034", site.name, "template parameters", `\`${site.name.text}\``);
    return option?.text;
  }
  const template = loadTemplate(option, options.env ?? {}, sink);
  if (template === undefined) return undefined;
  try {
    return renderTemplate(template, valuesFor(template, literals, options.params ?? {})).trim();
  } catch (error) {
    reportTemplateError(error, option.node, sink);
    return undefined;
  }
}

function isTemplateText(text = ""): boolean {
  return text.trimStart().startsWith("---");
}

/** `params` also holds what describes the function's parameters; the template takes what it declares. */
function valuesFor(
  template: CheckedTemplate,
  literals: TemplateLiterals,
  params: Readonly<Record<string, string>>,
): TemplateLiterals {
  const declared = Object.entries(params).filter(([name]) => template.params.some((param) => param.name === name));
  return { ...Object.fromEntries(declared), ...literals };
}

/** The response template, checked against what the function returns. */
export function responseTemplate(site: ToolSite, scope: AnalysisScope): CheckedTemplate | undefined {
  const { sink, checker } = scope;
  const option = oneOf(site, "response", "responseFile", scope);
  if (option === undefined) return undefined;
  if (site.role !== "tool") {
    sink.report("TSK1031", option.node, `\`${site.name.text}\``, site.role);
    return undefined;
  }
  const template = loadTemplate(option, site.options.env ?? {}, sink);
  const type = returnTypeOf(site, checker);
  if (template === undefined || type === undefined) return undefined;
  const misfit = responseMisfit(type, template, site, checker);
  if (misfit === undefined) return template;
  sink.report("TSK1030", site.callable.type ?? site.name, `\`${site.name.text}\``, misfit);
  return undefined;
}

function responseMisfit(
  type: ts.Type,
  template: CheckedTemplate,
  { callable }: ToolSite,
  checker: ts.TypeChecker,
): string | undefined {
  const shown = checker.typeToString(type);
  const members = type.isUnion() ? type.types : [type];
  const isObject = ({ flags }: ts.Type): boolean => (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  if (!members.every(isObject) || type.getSymbol()?.name === "ToolOutput")
    return `a template needs an object with its parameters, and this is ${shown}`;
  for (const member of members) {
    for (const { name, type: wanted, fallback } of template.params) {
      const property = checker.getPropertyOfType(member, name);
      const found = property === undefined ? undefined : checker.getTypeOfSymbolAtLocation(property, callable);
      const misfit =
        found === undefined
          ? fieldsMisfit(member, new Map([[name, wanted]]), "", checker, callable)
          : typeMisfit(
              fallback === undefined ? found : checker.getNonNullableType(found),
              wanted,
              name,
              checker,
              callable,
            );
      if (misfit !== undefined) return misfit;
    }
  }
  return undefined;
}

/** How the output is sanitised: what the author asks for, and at least tokens where untrusted text is returned. */
export function sanitizeOf(site: ToolSite, { checker, sink }: AnalysisScope): Sanitize | undefined {
  const wish = site.options.sanitize;
  const node = site.options.nodes?.sanitize ?? site.name;
  if (wish !== undefined && !isSanitize(wish)) {
    sink.report("TSK1032", node, JSON.stringify(wish));
    return undefined;
  }
  const type = site.role === "tool" ? returnTypeOf(site, checker) : undefined;
  if (type === undefined || !holdsUntrusted(type, checker, site.callable)) return wish;
  if (wish === "none") sink.report("TSK1033", node, `\`${site.name.text}\``);
  return wish ?? "tokens";
}

function isSanitize(text: string): text is Sanitize {
  return text === "none" || text === "tokens" || text === "quarantine";
}

function returnTypeOf({ callable }: ToolSite, checker: ts.TypeChecker): ts.Type | undefined {
  const signature = checker.getSignatureFromDeclaration(callable);
  if (signature === undefined) return undefined;
  const declared = checker.getReturnTypeOfSignature(signature);
  return checker.getAwaitedType(declared) ?? declared;
}
