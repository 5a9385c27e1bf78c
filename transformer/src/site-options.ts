/** What tags and the decorator say of a tool. */
import ts from "typescript";
import type { DiagnosticSink } from "./diagnostics.js";
import type { Docs } from "./docs.js";
import { reportFunctionTags } from "./tag-names.js";
import { literalAssignment, rawTagText, type TemplateLiterals } from "./template-source.js";
import { unwrap } from "./unwrap.js";

/** What the marker itself says; it wins over the doc comment. */
export interface ToolOptions {
  readonly name?: string;
  readonly description?: string;
  readonly effect?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** A template's file, its path as seen from the source file. */
  readonly descriptionFile?: string;
  readonly response?: string;
  readonly responseFile?: string;
  readonly sanitize?: string;
  /** What the description template is rendered with. */
  readonly templateParams?: TemplateLiterals;
  /** What both templates know while the program is built. */
  readonly env?: TemplateLiterals;
  /** Where an option stands, for messages. */
  readonly nodes?: Readonly<Record<string, ts.Node>>;
  /** Of a resource. */
  readonly uri?: string;
  readonly mimeType?: string;
}

type Mutable = { -readonly [K in keyof ToolOptions]: ToolOptions[K] };

/**
 * `@tool name`, `@prompt name`, `@resource uri`, `@description …`, `@descriptionFile path`, `@response …`,
 * `@responseFile path`, `@templateParam name=value`, `@env name=value`, `@sanitize …`, `@effect …`, `@idempotent`,
 * `@mimeType …`.
 */
export function tagOptions(docs: Docs, sink: DiagnosticSink): ToolOptions {
  const options: Mutable = {};
  const nodes: Record<string, ts.Node> = {};
  reportFunctionTags(docs, sink);
  for (const tag of docs.tags) {
    const { name, text } = tag;
    if (name === "idempotent") options.effect = "read_only";
    else if (text === "") continue;
    else if (name === "tool" || name === "prompt" || name === "name") options.name = text;
    else if (name === "resource") options.uri = text;
    else if (name === "mimeType" || name === "effect") options[name] = text;
    else if (name === "description" || name === "response") {
      const raw = rawTagText(tag);
      options[name] = name === "response" || raw.startsWith("---") ? raw : text;
      nodes[name] = tag.node;
    } else if (name === "descriptionFile" || name === "responseFile" || name === "sanitize") {
      options[name] = text;
      nodes[name] = tag.node;
    } else if (name === "templateParam" || name === "env") {
      const key = name === "env" ? "env" : "templateParams";
      const pair = literalAssignment(text);
      if (pair === undefined) sink.report("TSK1012", tag.node, name, text, "it is no `name=value`");
      else options[key] = { ...options[key], [pair[0]]: pair[1] };
    }
  }
  const named = options.description !== undefined || options.descriptionFile !== undefined;
  if (!named && docs.description.startsWith("---")) options.description = docs.description;
  return Object.keys(nodes).length === 0 ? options : { ...options, nodes };
}

/** The tags' options with those of `@tool({ … })`, which win. */
export function withDecorator(
  tags: ToolOptions,
  decorator: ts.Decorator | undefined,
  sink: DiagnosticSink,
): ToolOptions {
  if (decorator === undefined) return tags;
  const own = decoratorOptions(decorator, sink);
  return { ...tags, ...own, nodes: { ...tags.nodes, ...own.nodes } };
}

const TEXTS = [
  "name",
  "description",
  "effect",
  "descriptionFile",
  "response",
  "responseFile",
  "sanitize",
] as const satisfies readonly (keyof ToolOptions)[];

/** The options must be literals. */
function decoratorOptions(decorator: ts.Decorator, sink: DiagnosticSink): ToolOptions {
  if (!ts.isCallExpression(decorator.expression)) return {};
  const argument = decorator.expression.arguments[0];
  if (argument === undefined) return {};
  const options: Mutable = {};
  const nodes: Record<string, ts.Node> = {};
  if (!ts.isObjectLiteralExpression(argument)) {
    sink.report("TSK1014", argument, "object");
    return options;
  }
  for (const property of argument.properties) {
    const key = property.name === undefined ? "" : property.name.getText().replace(/^["']|["']$/g, "");
    const value = ts.isPropertyAssignment(property) ? unwrap(property.initializer) : undefined;
    const text = TEXTS.find((name) => name === key);
    nodes[key] = property;
    if ((key === "params" || key === "env") && value !== undefined && ts.isObjectLiteralExpression(value)) {
      const literals = literalsOf(value, key, sink);
      if (key === "env") options.env = literals;
      else {
        // Text may describe a parameter of the function too; numbers and bools can only be for the template.
        const entries = Object.entries(literals);
        options.params = Object.fromEntries(
          entries.flatMap(([name, entry]) => (typeof entry === "string" ? [[name, entry]] : [])),
        );
        const others = entries.filter(([, entry]) => typeof entry !== "string");
        if (others.length > 0) options.templateParams = Object.fromEntries(others);
      }
    } else if (value !== undefined && ts.isStringLiteralLike(value) && text !== undefined) options[text] = value.text;
    else if (key === "idempotent" && value?.kind === ts.SyntaxKind.TrueKeyword) options.effect = "read_only";
    else sink.report("TSK1014", property, key);
  }
  return { ...options, nodes };
}

function literalsOf(object: ts.ObjectLiteralExpression, key: string, sink: DiagnosticSink): TemplateLiterals {
  const literals: Record<string, string | number | boolean> = {};
  for (const entry of object.properties) {
    const value =
      ts.isPropertyAssignment(entry) && !ts.isComputedPropertyName(entry.name)
        ? literalValue(unwrap(entry.initializer))
        : undefined;
    if (value === undefined || entry.name === undefined || ts.isComputedPropertyName(entry.name))
      sink.report("TSK1014", entry, key);
    else literals[entry.name.text] = value;
  }
  return literals;
}

function literalValue(value: ts.Expression): string | number | boolean | undefined {
  if (ts.isStringLiteralLike(value)) return value.text;
  if (ts.isNumericLiteral(value)) return Number(value.text);
  if (value.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (value.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isPrefixUnaryExpression(value) && value.operator === ts.SyntaxKind.MinusToken) {
    const inner = literalValue(value.operand);
    return typeof inner === "number" ? -inner : undefined;
  }
  return undefined;
}
