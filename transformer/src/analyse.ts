/** ToolSite -> ToolModel: reads a signature and its documentation. */
import ts from "typescript";
import { bindingDefaults, constantValue } from "./defaults.js";
import { DiagnosticSink } from "./diagnostics.js";
import type { ToolSite } from "./discover.js";
import { readDocs, readParamDocs } from "./docs.js";
import type { ParameterModel, ToolEffect, ToolModel } from "./model.js";
import type { CompilerOptions } from "./options.js";
import type { Definitions, PropertyShape, Shape } from "./shape.js";
import { applyDocTags } from "./tags.js";
import { optionDescription, responseTemplate, sanitizeOf } from "./templates.js";
import { shapeOfType } from "./types.js";
import { checkedUri } from "./uri-template.js";
import { acceptsUndefined, type TypeScope } from "./walk.js";

/** What every provider takes. */
const PORTABLE_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

export interface AnalysisScope {
  readonly checker: ts.TypeChecker;
  readonly sink: DiagnosticSink;
  readonly options: CompilerOptions;
}

type ParamDocs = ReturnType<typeof readParamDocs>;

/** The model, or undefined where something was refused (the refusal is in the sink). */
export function analyseTool(site: ToolSite, scope: AnalysisScope): ToolModel | undefined {
  const { sink } = scope;
  const { callable } = site;
  const label = `\`${site.name.text}\``;
  const type = callable.typeParameters?.[0];
  if (type !== undefined) sink.report("TSK1004", type, label);
  if (isOverloaded(site, scope.checker)) sink.report("TSK1006", site.name, label);
  const name = site.options.name ?? site.name.text;
  if (!PORTABLE_NAME.test(name)) sink.report("TSK1008", site.name, JSON.stringify(name));
  const effect = effectOf(site, sink);
  const description = optionDescription(site, scope) ?? site.docs.description;
  const response = responseTemplate(site, scope);
  const sanitize = sanitizeOf(site, scope);
  if (description === "") sink.report("TSK1010", site.name, label);
  if (type !== undefined) return undefined;

  const definitions: Definitions = new Map();
  const input = analyseParameters(site, { ...scope, definitions, direction: "input", memo: new Map() });
  if (input === undefined || effect === undefined) return undefined;
  const output =
    site.role !== "tool"
      ? undefined
      : analyseOutput(site, { ...scope, definitions, direction: "output", memo: new Map() });
  const uri = site.role === "resource" ? checkedUri(site, input.parameters, sink) : undefined;
  if (site.role === "resource" && uri === undefined) return undefined;
  const { mimeType } = site.options;
  return {
    role: site.role,
    ...(uri === undefined ? {} : { uri }),
    ...(mimeType === undefined ? {} : { mimeType }),
    name,
    description: `${description === "" ? `Tool: ${name}` : description}${scope.options.throws === true ? throwsText(site) : ""}`,
    effect,
    target: site.target,
    parameters: input.parameters,
    input: input.shape,
    ...(output === undefined ? {} : { output }),
    definitions,
    ...(response === undefined ? {} : { response }),
    ...(sanitize === undefined ? {} : { sanitize }),
    ...(scope.options.lenient === false ? { strictArguments: true } : {}),
    node: site.name,
  };
}

/** The errors that the doc comment promises, for authors who want the model to know. */
function throwsText(site: ToolSite): string {
  const lines = site.docs.tags
    .filter((tag) => tag.name === "throws" || tag.name === "exception")
    .map((tag) => `Fails with: ${tag.text}`);
  return lines.length === 0 ? "" : `\n${lines.join("\n")}`;
}

/** Two tools of one name cannot be registered together: the functions of a module, or the methods of a class. */
export function reportDuplicates(models: readonly ToolModel[], sink: DiagnosticSink): void {
  const seen = new Set<string>();
  for (const { role, name, target, node } of models) {
    const key = JSON.stringify([role, target.kind === "method" ? target.className : "", name]);
    if (seen.has(key)) sink.report("TSK1007", node, JSON.stringify(name));
    seen.add(key);
  }
}

function isOverloaded(site: ToolSite, checker: ts.TypeChecker): boolean {
  const symbol = checker.getSymbolAtLocation(site.name);
  return (symbol?.declarations ?? []).filter((d) => ts.isFunctionLike(d)).length > 1;
}

function effectOf(site: ToolSite, sink: DiagnosticSink): ToolEffect | undefined {
  const text = site.options.effect ?? "mutating";
  switch (text) {
    case "read_only":
    case "mutating":
    case "destructive":
      return text;
    case "idempotent":
      return "read_only";
    default:
      sink.report("TSK1009", site.name, JSON.stringify(text));
      return undefined;
  }
}

function analyseParameters(
  site: ToolSite,
  scope: TypeScope,
): { parameters: ParameterModel[]; shape: Shape } | undefined {
  const { checker, sink } = scope;
  const declared = site.callable.parameters.filter((parameter) => !isThisParameter(parameter));
  const thisParameter = site.callable.parameters.find(isThisParameter);
  if (thisParameter !== undefined && site.target.kind === "function") {
    sink.report("TSK1015", thisParameter, `\`${site.name.text}\``);
    return undefined;
  }
  const docs = readParamDocs(ts.isVariableDeclaration(site.owner) ? site.statement : site.owner);
  const visible = declared.filter((parameter) => !isContext(checker.getTypeAtLocation(parameter), checker));
  const parameters: ParameterModel[] = [];
  const properties: PropertyShape[] = [];
  let whole: Shape | undefined;
  let failed = false;
  const used = new Set<string>();
  for (const [index, parameter] of declared.entries()) {
    if (!visible.includes(parameter)) {
      parameters.push({ kind: "context", index });
      if (ts.isIdentifier(parameter.name)) used.add(parameter.name.text);
      continue;
    }
    const destructured = !ts.isIdentifier(parameter.name);
    if (destructured && visible.length > 1) {
      sink.report("TSK1013", parameter.name);
      failed = true;
      continue;
    }
    const name = destructured ? "input" : parameter.name.getText();
    used.add(name);
    const value = analyseParameter(parameter, name, site, docs, scope);
    if (value === undefined) {
      failed = true;
      continue;
    }
    const optional = isOptional(parameter, checker);
    const isWhole =
      !(optional && hasRequired(value, scope.definitions)) &&
      visible.length === 1 &&
      (destructured || name === "args" || name === "input");
    if (isWhole && (value.kind === "object" || value.kind === "ref") && parameter.dotDotDotToken === undefined) {
      whole = withFieldDocs(value, docs, site, scope, destructured ? parameter.name : undefined);
      parameters.push({ kind: "object", index });
      for (const key of docs.keys()) used.add(key);
      continue;
    }
    if (parameter.dotDotDotToken !== undefined) parameters.push({ kind: "rest", name, index });
    else parameters.push({ kind: "property", name, index, optional });
    properties.push({
      name,
      value,
      optional: optional || (parameter.dotDotDotToken !== undefined && !(value.kind === "tuple" && value.required > 0)),
    });
    if (value.description === undefined) sink.report("TSK1011", parameter.name, name, `\`${site.name.text}\``);
  }
  for (const [name, doc] of docs) {
    if (!used.has(name.split(/[.[]/)[0] ?? name)) sink.report("TSK1021", doc.node, name, `\`${site.name.text}\``);
  }
  if (failed) return undefined;
  return { parameters, shape: whole ?? { kind: "object", properties, patterns: [] } };
}

function analyseParameter(
  parameter: ts.ParameterDeclaration,
  name: string,
  site: ToolSite,
  docs: ParamDocs,
  scope: TypeScope,
): Shape | undefined {
  const { checker, sink } = scope;
  const type = checker.getTypeAtLocation(parameter);
  const node = parameter.type ?? parameter.name;
  const label = ts.isIdentifier(parameter.name) ? `the parameter \`${name}\`` : "the arguments object";
  const shape = shapeOfType(type, { node, label }, scope);
  if (shape === undefined) return undefined;
  const own = readDocs(parameter);
  // What stands at the parameter itself is nearer than `@param`; what the decorator says is nearest.
  const description = site.options.params?.[name] ?? (own.description !== "" ? own.description : docs.get(name)?.text);
  const fallback = constantValue(parameter.initializer, checker);
  const tagged = withDottedDocs(applyDocTags(shape, own.tags, sink), name, docs);
  const described =
    description === undefined || description === ""
      ? tagged
      : { ...tagged, description: joinNotes(description, tagged) };
  return fallback === undefined ? described : { ...described, default: fallback };
}

/** `@param options.limit …` describes a field of the parameter `options`; the field's own comment is nearer. */
function withDottedDocs(shape: Shape, name: string, docs: ParamDocs): Shape {
  if (shape.kind !== "object") return shape;
  const properties = shape.properties.map((property) => {
    const text = docs.get(`${name}.${property.name}`)?.text;
    if (text === undefined || text === "" || property.value.description !== undefined) return property;
    return { ...property, value: { ...property.value, description: text } };
  });
  return { ...shape, properties };
}

/** The notes of enum members stay readable under the parameter's own words. */
function joinNotes(description: string, shape: Shape): string {
  return shape.kind === "literal" && shape.description !== undefined
    ? `${description}\n${shape.description}`
    : description;
}

/** `@param input.city …`, `@param city …` and the defaults of a destructuring, laid over the fields. */
function withFieldDocs(
  shape: Shape,
  docs: ParamDocs,
  site: ToolSite,
  scope: TypeScope,
  binding: ts.BindingName | undefined,
): Shape {
  if (shape.kind !== "object") return shape;
  const byField = new Map(
    [...docs].map(([name, doc]) => [name.includes(".") ? name.slice(name.indexOf(".") + 1) : name, doc.text]),
  );
  const defaults = binding === undefined ? new Map() : bindingDefaults(binding, scope.checker);
  const properties = shape.properties.map((property) => {
    const text = site.options.params?.[property.name] ?? byField.get(property.name);
    const fallback = defaults.get(property.name);
    const value = {
      ...property.value,
      ...(text === undefined || text === "" ? {} : { description: text }),
      ...(fallback === undefined ? {} : { default: fallback }),
    };
    if (value.description === undefined)
      scope.sink.report("TSK1011", binding ?? site.name, property.name, `\`${site.name.text}\``);
    return { ...property, value };
  });
  return { ...shape, properties };
}

/** What the function gives back; undefined where that is text, nothing, or not to be told. */
function analyseOutput({ callable, name }: ToolSite, scope: TypeScope): Shape | undefined {
  const { checker } = scope;
  const signature = checker.getSignatureFromDeclaration(callable);
  if (signature === undefined) return undefined;
  const declared = checker.getReturnTypeOfSignature(signature);
  const type = checker.getAwaitedType(declared) ?? declared;
  if (type.getSymbol()?.name === "ToolOutput") return undefined;
  if (
    type.flags &
    (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never)
  )
    return undefined;
  // A result that has no schema is still a result, so what would be an error of an argument is none here.
  const refusals = new DiagnosticSink();
  const place = { node: callable.type ?? callable, label: "the result" };
  const shape = shapeOfType(type, place, { ...scope, sink: refusals });
  const lost = refusals.all.find((refusal) => refusal.code === "TSK1001");
  if (lost !== undefined) scope.sink.report("TSK1025", callable.type ?? name, ...lost.details);
  return shape === undefined || isText(shape) || shape.kind === "null" || shape.kind === "any" ? undefined : shape;
}

function isText(shape: Shape): boolean {
  if (shape.kind === "union") return shape.members.some(isText);
  return (
    shape.kind === "string" || (shape.kind === "literal" && shape.values.some((value) => typeof value === "string"))
  );
}

function isOptional(parameter: ts.ParameterDeclaration, checker: ts.TypeChecker): boolean {
  if (parameter.questionToken !== undefined || parameter.initializer !== undefined) return true;
  return acceptsUndefined(checker.getTypeAtLocation(parameter));
}

/** Whether `{}` is none of the arguments objects that the shape allows. */
function hasRequired(shape: Shape, definitions: Definitions): boolean {
  const resolved = shape.kind === "ref" ? definitions.get(shape.name) : shape;
  return resolved?.kind === "object" && resolved.properties.some((property) => !property.optional);
}

function isThisParameter(parameter: ts.ParameterDeclaration): boolean {
  return ts.isIdentifier(parameter.name) && parameter.name.text === "this";
}

/** `ToolContext` is known by its phantom property, under whatever name and through whatever package it comes. */
function isContext(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.getNonNullableType(type).getProperty("__toolContext") !== undefined;
}
