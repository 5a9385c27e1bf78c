/** Checked template -> a JavaScript function expression that builds the text. */
import type { Expression, Node, Pattern, TemplateValue } from "./ast.js";
import type { CheckedTemplate } from "./check.js";

export interface EmitStyle {
  /** Parameters are annotated, so that the text compiles as TypeScript under `strict`. */
  readonly typescript: boolean;
  /** The name of the namespace import of `@tsukumo/template/filters`. */
  readonly filters: string;
}

/** `($_v) => { … }`: takes the object of the parameters and gives the text; throws `TemplatePanic`. */
export function emitTemplate(checked: CheckedTemplate, style: EmitStyle): string {
  const emitter = new Emitter(style);
  const names = new Map<string, string>(
    checked.params.map(({ name, fallback }) => [name, withFallback(access("$_v", name), fallback)]),
  );
  const body = emitter.body(checked, names);
  const type = style.typescript ? ["$_v: any", ": string"] : ["$_v", ""];
  const parameter = checked.params.length === 0 ? "" : type[0];
  return `(${parameter})${type[1]} => { let $_o = ""; ${body} return $_o; }`;
}

function withFallback(text: string, fallback: TemplateValue): string {
  return fallback === undefined || fallback === null ? text : `(${text} ?? ${JSON.stringify(fallback)})`;
}

/** JavaScript expressions by name of the template's own. */
type Names = ReadonlyMap<string, string>;

class Emitter {
  readonly #filters: string;
  readonly #typescript: boolean;
  #counter = 0;
  #kinds: CheckedTemplate["kinds"] = new Map();

  constructor({ filters, typescript }: EmitStyle) {
    this.#filters = filters;
    this.#typescript = typescript;
  }

  get #any(): string {
    return this.#typescript ? ": any" : "";
  }

  body(checked: CheckedTemplate, params: Names): string {
    const outer = this.#kinds;
    this.#kinds = checked.kinds;
    const names = new Map(params);
    for (const [name, value] of checked.constants) names.set(name, literal(value));
    const text = this.#nodes(checked.template.body, names, checked);
    this.#kinds = outer;
    return text;
  }

  #nodes(nodes: readonly Node[], names: Names, checked: CheckedTemplate): string {
    return nodes.map((node) => this.#node(node, names, checked)).join(" ");
  }

  #node(node: Node, names: Names, checked: CheckedTemplate): string {
    switch (node.kind) {
      case "text":
        return `$_o += ${literal(node.text)};`;
      case "print":
        return `$_o += ${this.#text(node.value, names)};`;
      case "comment":
        return "";
      case "panic":
        return `${this.#filters}.panic(${this.#text(node.message, names)});`;
      case "if": {
        const branches = node.branches.map(
          ({ condition, body }) => `if (${this.#truthy(condition, names)}) { ${this.#nodes(body, names, checked)} }`,
        );
        const rest = node.otherwise.length === 0 ? "" : ` else { ${this.#nodes(node.otherwise, names, checked)} }`;
        return branches.join(" else ") + rest;
      }
      case "for": {
        const [list, index] = [this.#fresh("l"), this.#fresh("i")];
        const inner = new Map([...names, [node.variable, `${list}[${index}]`], [`idx ${node.variable}`, index]]);
        const loop = `for (let ${index} = 0; ${index} < ${list}.length; ${index}++) { ${this.#nodes(node.body, inner, checked)} }`;
        const rest =
          node.otherwise.length === 0
            ? ""
            : ` if (${list}.length === 0) { ${this.#nodes(node.otherwise, names, checked)} }`;
        return `const ${list}${this.#typescript ? ": readonly any[]" : ""} = ${this.#filters}.items(${this.#value(node.list, names)}); ${loop}${rest}`;
      }
      case "match": {
        const subject = this.#fresh("m");
        const isEnum = node.cases.some(({ patterns }) => patterns.some(({ kind }) => kind === "variant"));
        const value = this.#value(node.subject, names);
        const cases = node.cases.map(({ patterns, guard, body }) => {
          const test = patterns.map((pattern) => `${subject} === ${patternText(pattern)}`).join(" || ");
          const whole = guard === undefined ? test : `(${test}) && ${this.#truthy(guard, names)}`;
          return `if (${whole}) { ${this.#nodes(body, names, checked)} }`;
        });
        const rest = node.otherwise === undefined ? "" : `{ ${this.#nodes(node.otherwise, names, checked)} }`;
        const chain = [...cases, rest].filter((part) => part !== "").join(" else ");
        return `const ${subject}${this.#any} = ${isEnum ? `${this.#filters}.kind(${value})` : value}; ${chain}`;
      }
      case "include":
        return this.#include(node, names, checked);
    }
  }

  #include(node: Extract<Node, { kind: "include" }>, names: Names, checked: CheckedTemplate): string {
    const included = checked.includes.get(node);
    if (included === undefined) throw new Error("A checked template knows its includes.");
    const lines: string[] = [];
    const inner = new Map<string, string>();
    for (const { name, fallback } of included.params) {
      const local = this.#fresh("p");
      const given = node.values.find((value) => value.name === name);
      const value = given === undefined ? literal(fallback) : withFallback(this.#value(given.value, names), fallback);
      lines.push(`const ${local}${this.#any} = ${value};`);
      inner.set(name, local);
    }
    return `{ ${lines.join(" ")} ${this.body(included, inner)} }`;
  }

  #text(value: Expression, names: Names): string {
    if (value.kind === "literal")
      return typeof value.value === "string" ? literal(value.value) : `${this.#filters}.text(${literal(value.value)})`;
    return value.kind === "string" ? this.#value(value, names) : `${this.#filters}.text(${this.#value(value, names)})`;
  }

  #truthy(value: Expression, names: Names): string {
    const isTest = value.kind === "not" || value.kind === "binary" || (value.kind === "call" && value.name === "has");
    return isTest ? this.#value(value, names) : `${this.#filters}.truthy(${this.#value(value, names)})`;
  }

  #value(value: Expression, names: Names): string {
    switch (value.kind) {
      case "literal":
        return literal(value.value);
      case "string":
        return `(${value.parts.map((part) => (typeof part === "string" ? literal(part) : this.#text(part, names))).join(" + ")})`;
      case "path": {
        const [first = "", ...rest] = value.names;
        return rest.reduce(access, names.get(first) ?? "undefined");
      }
      case "call": {
        const [argument] = value.args;
        if (argument === undefined) throw new Error("A checked call has an argument.");
        if (value.name === "idx") return names.get(`idx ${argument.kind === "path" ? argument.names[0] : ""}`) ?? "0";
        if (value.name === "kinds") return literal(this.#kinds.get(value) ?? []);
        return `${this.#filters}.${value.name}(${this.#value(argument, names)})`;
      }
      case "filter": {
        const args = [this.#value(value.input, names), ...value.args.map(literal)];
        const call = `${this.#filters}.${value.name}(${args.join(", ")})`;
        return this.#typescript && value.name === "limit" ? `(${call} as any)` : call;
      }
      case "not":
        return `!${this.#truthy(value.operand, names)}`;
      case "binary": {
        const { operator } = value;
        if (operator === "in")
          return `${this.#filters}.contains(${this.#value(value.left, names)}, ${this.#value(value.right, names)})`;
        const isLogic = operator === "&&" || operator === "||";
        const [left, right] = [value.left, value.right].map((side) =>
          isLogic ? this.#truthy(side, names) : this.#value(side, names),
        );
        const sign = operator === "==" ? "===" : operator === "!=" ? "!==" : operator;
        // Two literals that are never equal are an error of TypeScript's, which nobody could mend here.
        return `(${left}${this.#typescript && !isLogic ? " as any" : ""} ${sign} ${right})`;
      }
    }
  }

  #fresh(letter: string): string {
    this.#counter += 1;
    return `$_${letter}${this.#counter}`;
  }
}

function patternText(pattern: Pattern): string {
  return literal(pattern.kind === "variant" ? pattern.name : pattern.value);
}

function literal(value: TemplateValue): string {
  return value === undefined
    ? "undefined"
    : JSON.stringify(value).replace(/[\u2028\u2029]/g, (c) => (c === "\u2028" ? "\\u2028" : "\\u2029"));
}

function access(object: string, name: string): string {
  return name === "__proto__" ? `${object}["__proto__"]` : `${object}.${name}`;
}
