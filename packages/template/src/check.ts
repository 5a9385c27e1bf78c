/** Template -> checked template: every name declared, every type right, includes read. */
import type { Case, Declaration, Expression, Node, Template, TemplateValue } from "./ast.js";
import { ExpressionChecker } from "./check-expression.js";
import { fitsScalar } from "./declaration.js";
import { TemplateError } from "./error.js";
import { parseTemplate } from "./parse.js";
import { Scope, type Variable } from "./scope.js";
import { isAssignable, type TemplateType, typeText } from "./types.js";

export interface CheckOptions {
  /** The values of `env`. */
  readonly env?: Readonly<Record<string, TemplateValue>>;
  /** The text of a file; undefined where there is none. Without it, `include` is an error. */
  readonly read?: (path: string) => string | undefined;
  /** The file that `path` means in the file `from`. */
  readonly resolve?: (from: string, path: string) => string;
}

export interface CheckedTemplate {
  readonly template: Template;
  readonly params: readonly Declaration[];
  /** Values of consts and env. */
  readonly constants: ReadonlyMap<string, TemplateValue>;
  readonly includes: ReadonlyMap<Node, CheckedTemplate>;
  /** The variants behind each call of `kinds`. */
  readonly kinds: ReadonlyMap<Expression, readonly string[]>;
  /** Every file that an include has named, also those that are missing, directly or not. */
  readonly files: readonly string[];
}

const DEPTH = 16;

/** Parses and checks. @throws {TemplateError} at the first thing that is wrong */
export function checkTemplate(text: string, file: string, options: CheckOptions = {}): CheckedTemplate {
  return new Checker(options).check(parseTemplate(text, file), 0);
}

class Checker {
  readonly #options: CheckOptions;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  check(template: Template, depth: number): CheckedTemplate {
    const constants = this.#constants(template);
    const variables = new Map<string, Variable>(template.params.map(({ name, type }) => [name, { type }]));
    for (const { name, type } of [...template.consts, ...template.env]) {
      variables.set(name, { type, value: constants.get(name) });
    }
    const scope = new Scope(variables);
    const body = new BodyChecker(template, this.#options, depth, (inner) => this.check(inner, depth + 1));
    body.nodes(template.body, scope);
    if (!template.allowUnused) reportUnused(template, scope.used);
    return {
      template,
      params: template.params,
      constants,
      includes: body.includes,
      kinds: body.kinds,
      files: [...body.files],
    };
  }

  #constants(template: Template): Map<string, TemplateValue> {
    const values = new Map<string, TemplateValue>();
    for (const { name, fallback } of template.consts) values.set(name, fallback);
    for (const { name, type, fallback, at } of template.env) {
      const given =
        this.#options.env !== undefined && Object.hasOwn(this.#options.env, name) ? this.#options.env[name] : undefined;
      const value = given ?? fallback;
      if (value === undefined)
        throw new TemplateError(
          "value",
          `The env value \`${name}\` is not given and has no default.`,
          template.source,
          at,
        );
      const wanted = type.kind === "option" ? type.inner : type;
      if (!(type.kind === "option" && value === null) && !fitsScalar(value, wanted))
        throw new TemplateError("value", `The env value \`${name}\` is no ${typeText(type)}.`, template.source, at);
      values.set(name, value);
    }
    return values;
  }
}

function reportUnused(template: Template, used: ReadonlySet<string>): void {
  const unused = [...template.consts, ...template.env, ...template.params].find(({ name }) => !used.has(name));
  if (unused !== undefined)
    throw new TemplateError("unused", `\`${unused.name}\` is declared and not used.`, template.source, unused.at);
  const type = template.types.find(({ name }) => !template.usedTypes.has(name));
  if (type !== undefined)
    throw new TemplateError("unused", `The type \`${type.name}\` is declared and not used.`, template.source, type.at);
}

class BodyChecker {
  readonly includes = new Map<Node, CheckedTemplate>();
  readonly files = new Set<string>();
  readonly #template: Template;
  readonly #options: CheckOptions;
  readonly #depth: number;
  readonly #checkIncluded: (template: Template) => CheckedTemplate;
  readonly #expressions: ExpressionChecker;

  constructor(
    template: Template,
    options: CheckOptions,
    depth: number,
    checkIncluded: (template: Template) => CheckedTemplate,
  ) {
    this.#template = template;
    this.#options = options;
    this.#depth = depth;
    this.#checkIncluded = checkIncluded;
    this.#expressions = new ExpressionChecker(template.source);
  }

  get kinds(): ReadonlyMap<Expression, readonly string[]> {
    return this.#expressions.kinds;
  }

  nodes(nodes: readonly Node[], scope: Scope): void {
    for (const node of nodes) this.#node(node, scope);
  }

  #node(node: Node, scope: Scope): void {
    switch (node.kind) {
      case "text":
        return;
      case "print":
        return this.#expressions.printed(node.value, scope);
      case "comment":
        for (const use of node.uses) this.#expressions.type(use, scope);
        return;
      case "panic":
        return this.#expressions.printed(node.message, scope);
      case "if":
        return this.#if(node, scope);
      case "for":
        return this.#for(node, scope);
      case "match":
        return this.#match(node, scope);
      case "include":
        return this.#include(node, scope);
    }
  }

  #if(node: Extract<Node, { kind: "if" }>, scope: Scope): void {
    let rest = scope;
    for (const { condition, body } of node.branches) {
      this.#expressions.condition(condition, rest);
      this.nodes(body, rest.withNarrowed(this.#expressions.narrowing(condition, rest, true)));
      rest = rest.withNarrowed(this.#expressions.narrowing(condition, rest, false));
    }
    this.nodes(node.otherwise, rest);
  }

  #for(node: Extract<Node, { kind: "for" }>, scope: Scope): void {
    const type = this.#expressions.type(node.list, scope);
    if (type.kind !== "list")
      this.#expressions.fail("type", `\`for\` needs a list, and this is ${typeText(type)}.`, node.list.at);
    if (scope.find(node.variable) !== undefined)
      this.#expressions.fail("syntax", `\`${node.variable}\` is already the name of something else.`, node.at);
    this.nodes(node.body, scope.withVariable(node.variable, { type: type.item, loop: true }));
    this.nodes(node.otherwise, scope);
  }

  #match(node: Extract<Node, { kind: "match" }>, scope: Scope): void {
    const type = this.#expressions.type(node.subject, scope);
    const subject = node.subject.kind === "path" ? node.subject.names.join(".") : undefined;
    const seen = new Set<string>();
    if (type.kind !== "enum" && type.kind !== "str" && type.kind !== "int" && type.kind !== "bool")
      this.#expressions.fail(
        "match",
        `\`match\` takes an enum, text, a whole number or a bool, and this is ${typeText(type)}.`,
        node.subject.at,
      );
    for (const part of node.cases) {
      for (const pattern of part.patterns) {
        const name = pattern.kind === "variant" ? pattern.name : JSON.stringify(pattern.value);
        if (!patternFits(pattern, type))
          this.#expressions.fail("match", `\`${name}\` is no ${typeText(type)}.`, part.at);
        if (seen.has(name))
          this.#expressions.fail("match", `The case \`${name}\` is never reached: it stands above.`, part.at);
        if (part.guard === undefined) seen.add(name);
      }
      const inner = subject === undefined ? scope : scope.withNarrowed(narrowedBy(part, type, subject));
      if (part.guard !== undefined) this.#expressions.condition(part.guard, inner);
      const known = part.guard === undefined ? [] : this.#expressions.narrowing(part.guard, inner, true);
      this.nodes(part.body, inner.withNarrowed(known));
    }
    const missing = type.kind === "enum" ? [...type.variants.keys()].filter((name) => !seen.has(name)) : [];
    const isOpen = type.kind !== "enum" && !(type.kind === "bool" && seen.size === 2);
    if (node.otherwise === undefined && (missing.length > 0 || isOpen))
      this.#expressions.fail(
        "match",
        isOpen ? "This `match` needs an `else`." : `No case for ${missing.map((name) => `\`${name}\``).join(", ")}.`,
        node.at,
      );
    if (node.otherwise !== undefined) this.nodes(node.otherwise, scope);
  }

  #include(node: Extract<Node, { kind: "include" }>, scope: Scope): void {
    const { read, resolve } = this.#options;
    const fail = (reason: string): never => this.#expressions.fail("include", reason, node.at);
    if (read === undefined || resolve === undefined) return fail("Nothing can be included here.");
    if (this.#depth >= DEPTH) return fail(`Includes are nested more than ${DEPTH} deep.`);
    const file = resolve(this.#template.source.file, node.path);
    this.files.add(file);
    const text = read(file);
    if (text === undefined) return fail(`There is no file ${file}.`);
    const included = this.#checkIncluded(parseTemplate(text, file));
    this.includes.set(node, included);
    for (const inner of included.files) this.files.add(inner);
    for (const { name, value } of node.values) {
      const type = this.#expressions.type(value, scope);
      const declared = included.params.find((param) => param.name === name);
      if (declared === undefined) fail(`${file} has no parameter \`${name}\`.`);
      else if (!isAssignable(type, declared.type))
        this.#expressions.fail(
          "type",
          `\`${name}\` needs ${typeText(declared.type)}, and this is ${typeText(type)}.`,
          value.at,
        );
    }
    const given = new Set(node.values.map(({ name }) => name));
    if (given.size < node.values.length) fail("A parameter is given twice.");
    const missing = included.params.filter(({ name, fallback }) => !given.has(name) && fallback === undefined);
    if (missing.length > 0) fail(`${file} also needs ${missing.map(({ name }) => `\`${name}\``).join(", ")}.`);
  }
}

function patternFits(pattern: Case["patterns"][number], type: TemplateType): boolean {
  return pattern.kind === "variant"
    ? type.kind === "enum" && type.variants.has(pattern.name)
    : type.kind !== "enum" && fitsScalar(pattern.value, type);
}

/** In the case of one variant, its fields can be used. */
function narrowedBy(part: Case, type: TemplateType, subject: string): [string, TemplateType][] {
  const [pattern] = part.patterns;
  if (part.patterns.length !== 1 || pattern?.kind !== "variant" || type.kind !== "enum") return [];
  return [[subject, { kind: "struct", fields: type.variants.get(pattern.name) ?? new Map() }]];
}
