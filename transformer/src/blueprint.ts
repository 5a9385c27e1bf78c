/** ToolModel -> the text of a blueprint: meta, predicate, call. The transformer and `gen` print the same one. */
import { emitTemplate } from "@tsukumo/template";
import { access, type CodeStyle, FILTERS, isInherited, literal, quote, RUNTIME, singleQuoted } from "./code.js";
import type { ParameterModel, ToolModel } from "./model.js";
import { RevivalPrinter } from "./revival.js";
import { type JsonSchema, schemaOf } from "./schema.js";
import { needsRevival } from "./shape.js";
import { PredicatePrinter } from "./validator.js";

/** A tool's meta as plain JSON, keys in the order in which it is printed. */
export interface MetaJson {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly effect: string;
  readonly sanitize?: string;
}

export function metaOf(model: ToolModel): MetaJson {
  const output = model.output === undefined ? {} : { outputSchema: schemaOf(model.output, model.definitions) };
  const sanitize = model.sanitize === undefined ? {} : { sanitize: model.sanitize };
  return { ...commonMeta(model), ...output, effect: model.effect, ...sanitize };
}

function commonMeta(model: ToolModel): Pick<MetaJson, "name" | "description" | "inputSchema"> {
  return { name: model.name, description: model.description, inputSchema: schemaOf(model.input, model.definitions) };
}

/** The meta of whatever the function is. */
function roleMeta(model: ToolModel): object {
  switch (model.role) {
    case "tool":
      return metaOf(model);
    case "prompt":
      return commonMeta(model);
    case "resource": {
      const { uri = "", mimeType } = model;
      return { ...commonMeta(model), uriTemplate: uri, ...(mimeType === undefined ? {} : { mimeType }) };
    }
  }
}

/**
 * An expression that gives the blueprint.
 * @param callee what is called with the arguments: `getWeather`, or `s.search` where `s` is the instance
 */
export function printBlueprint(model: ToolModel, callee: string, style: CodeStyle): string {
  const predicates = new PredicatePrinter(model.definitions, style);
  const predicate = predicates.predicate(model.input);
  const any = style.typescript ? ": any" : "";
  const fields = [`meta: ${metaText(roleMeta(model), style)}`, `is: ${predicate}`];
  if (needsRevival(model.input, model.definitions)) {
    const revival = new RevivalPrinter(model.definitions, predicates, style).revive(model.input, "$_a");
    fields.push(`revive: ($_a${any}) => ${revival}`);
  }
  if (model.response !== undefined)
    fields.push(`response: ${emitTemplate(model.response, { ...style, filters: FILTERS })}`);
  if (model.strictArguments) fields.push("strict: true");
  fields.push(`call: (${callParameters(model, any)}) => ${callee}(${callArguments(model.parameters)})`);
  const object = `{\n    ${fields.join(",\n    ")},\n  }`;
  if (predicates.declarations.length === 0) return object;
  const returns = style.typescript ? `: ${blueprintType(model)}` : "";
  return `/* @__PURE__ */ (()${returns} => {\n  ${predicates.declarations.join("\n  ")}\n  return ${object};\n})()`;
}

/** As a literal, a meta would cost every build that checks it five milliseconds of types that nobody reads. */
function metaText(meta: object, style: CodeStyle): string {
  return style.typescript ? `JSON.parse(${singleQuoted(JSON.stringify(meta))})` : literal(meta);
}

/** The runtime's type of the blueprint, for TypeScript output. */
export function blueprintType(model: ToolModel): string {
  return `${RUNTIME}.${BLUEPRINT[model.role]}`;
}

const BLUEPRINT = { tool: "ToolBlueprint", prompt: "PromptBlueprint", resource: "ResourceBlueprint" } as const;

function callParameters(model: ToolModel, any: string): string {
  const usesContext = model.parameters.some((parameter) => parameter.kind === "context");
  const { target } = model;
  const usesSelf = target.kind === "value" || (target.kind === "method" && !target.static);
  const usesArgs = model.parameters.some((parameter) => parameter.kind !== "context");
  // Those that only hold a place begin with `_`, which `noUnusedParameters` lets pass.
  const names = [usesArgs ? "$_a" : "_a", usesContext ? "$_c" : "_c", "$_s"];
  return names
    .slice(0, usesSelf ? 3 : usesContext ? 2 : usesArgs ? 1 : 0)
    .map((name) => `${name}${any}`)
    .join(", ");
}

function callArguments(parameters: readonly ParameterModel[]): string {
  return parameters
    .map((parameter) => {
      switch (parameter.kind) {
        case "property":
          // Every object has a `toString`, given or not.
          return isInherited(parameter.name) ? ownValue(parameter.name) : access("$_a", parameter.name);
        case "object":
          return "$_a";
        case "rest":
          return `...(${isInherited(parameter.name) ? ownValue(parameter.name) : access("$_a", parameter.name)} ?? [])`;
        case "context":
          return "$_c";
      }
    })
    .join(", ");
}

function ownValue(name: string): string {
  return `(Object.hasOwn($_a, ${quote(name)}) ? ${access("$_a", name)} : undefined)`;
}
