/** Renders while the program is built: descriptions. At run time the emitted code does it. */
import type { Expression, Node } from "./ast.js";
import type { CheckedTemplate } from "./check.js";
import { fitsScalar } from "./declaration.js";
import { TemplateError } from "./error.js";
import * as filters from "./filters/index.js";
import { type TemplateType, typeText } from "./types.js";

type Values = Readonly<Record<string, unknown>>;

/** @throws {TemplateError} where a parameter is missing, unknown or of another type, and where a filter or panic throws */
export function renderTemplate(checked: CheckedTemplate, values: Values): string {
  const { source } = checked.template;
  const fail = (reason: string, at = 0): never => {
    throw new TemplateError("value", reason, source, at);
  };
  const extra = Object.keys(values).filter((name) => !checked.params.some((param) => param.name === name));
  if (extra.length > 0) fail(`The template has no parameter ${extra.map((name) => `\`${name}\``).join(", ")}.`);
  const missing = checked.params.filter(({ name, fallback }) => !Object.hasOwn(values, name) && fallback === undefined);
  if (missing.length > 0)
    fail(`The template needs ${missing.map(({ name }) => `\`${name}\``).join(", ")}.`, missing[0]?.at);
  for (const { name, type, at } of checked.params) {
    const wrong = Object.hasOwn(values, name) ? misfit(values[name], type, name) : undefined;
    if (wrong !== undefined) fail(wrong, at);
  }
  try {
    return new Renderer(checked).run(values);
  } catch (error) {
    if (error instanceof TemplateError || !(error instanceof Error)) throw error;
    throw new TemplateError("value", error.message, source, 0, error);
  }
}

/** Why a value is not of the type, with its path; undefined where it is. */
function misfit(value: unknown, type: TemplateType, path: string): string | undefined {
  const wrong = `\`${path}\` must be ${typeText(type)}.`;
  switch (type.kind) {
    case "option":
      return value === null || value === undefined ? undefined : misfit(value, type.inner, path);
    case "list":
      if (!Array.isArray(value)) return wrong;
      return value
        .map((item, index) => misfit(item, type.item, `${path}[${index}]`))
        .find((found) => found !== undefined);
    case "struct":
      if (!isRecord(value)) return wrong;
      return [...type.fields]
        .map(([name, field]) => misfit(value[name], field, `${path}.${name}`))
        .find((found) => found !== undefined);
    case "enum": {
      const name = isRecord(value) ? value.kind : value;
      const fields = typeof name === "string" ? type.variants.get(name) : undefined;
      if (fields === undefined) return wrong;
      return fields.size === 0 ? undefined : misfit(value, { kind: "struct", fields }, path);
    }
    default:
      return (typeof value === "string" || typeof value === "number" || typeof value === "boolean") &&
        fitsScalar(value, type)
        ? undefined
        : wrong;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a name stands for, and the index in its loop. */
interface Bound {
  readonly value: unknown;
  readonly index?: number;
}

type Names = ReadonlyMap<string, Bound>;

class Renderer {
  readonly #checked: CheckedTemplate;

  constructor(checked: CheckedTemplate) {
    this.#checked = checked;
  }

  run(values: Values): string {
    const names = new Map<string, Bound>();
    for (const { name, fallback } of this.#checked.params) names.set(name, { value: values[name] ?? fallback });
    for (const [name, value] of this.#checked.constants) names.set(name, { value });
    return this.#nodes(this.#checked.template.body, names);
  }

  #nodes(nodes: readonly Node[], names: Names): string {
    return nodes.map((node) => this.#node(node, names)).join("");
  }

  #node(node: Node, names: Names): string {
    switch (node.kind) {
      case "text":
        return node.text;
      case "print":
        return filters.text(this.#value(node.value, names));
      case "comment":
        return "";
      case "panic":
        throw new filters.TemplatePanic(filters.text(this.#value(node.message, names)));
      case "if": {
        const taken = node.branches.find(({ condition }) => filters.truthy(this.#value(condition, names)));
        return this.#nodes(taken?.body ?? node.otherwise, names);
      }
      case "for": {
        const list = filters.items(this.#value(node.list, names));
        if (list.length === 0) return this.#nodes(node.otherwise, names);
        return list
          .map((value, index) => this.#nodes(node.body, new Map([...names, [node.variable, { value, index }]])))
          .join("");
      }
      case "match": {
        const subject = this.#value(node.subject, names);
        const taken = node.cases.find(
          ({ patterns, guard }) =>
            patterns.some((pattern) =>
              pattern.kind === "variant" ? filters.kind(subject) === pattern.name : subject === pattern.value,
            ) &&
            (guard === undefined || filters.truthy(this.#value(guard, names))),
        );
        return this.#nodes(taken?.body ?? node.otherwise ?? [], names);
      }
      case "include": {
        const included = this.#checked.includes.get(node);
        if (included === undefined) throw new Error("A checked template knows its includes.");
        const values = node.values.map(({ name, value }) => [name, this.#value(value, names)] as const);
        return new Renderer(included).run(Object.fromEntries(values));
      }
    }
  }

  #value(value: Expression, names: Names): unknown {
    switch (value.kind) {
      case "literal":
        return value.value;
      case "string":
        return value.parts
          .map((part) => (typeof part === "string" ? part : filters.text(this.#value(part, names))))
          .join("");
      case "path": {
        const [first = "", ...rest] = value.names;
        return rest.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), names.get(first)?.value);
      }
      case "call":
        return this.#call(value, names);
      case "filter":
        return applyFilter(value.name, this.#value(value.input, names), value.args);
      case "not":
        return !filters.truthy(this.#value(value.operand, names));
      case "binary":
        return this.#binary(value, names);
    }
  }

  #call(call: Extract<Expression, { kind: "call" }>, names: Names): unknown {
    const [argument] = call.args;
    if (argument === undefined) throw new Error("A checked call has an argument.");
    switch (call.name) {
      case "idx":
        return names.get(argument.kind === "path" ? (argument.names[0] ?? "") : "")?.index;
      case "kinds":
        return this.#checked.kinds.get(call);
      case "len":
        return filters.len(this.#value(argument, names));
      case "kind":
        return filters.kind(this.#value(argument, names));
      default:
        return filters.has(this.#value(argument, names));
    }
  }

  #binary({ operator, left, right }: Extract<Expression, { kind: "binary" }>, names: Names): unknown {
    const a = this.#value(left, names);
    if (operator === "&&") return filters.truthy(a) && filters.truthy(this.#value(right, names));
    if (operator === "||") return filters.truthy(a) || filters.truthy(this.#value(right, names));
    const b = this.#value(right, names);
    switch (operator) {
      case "==":
        return a === b;
      case "!=":
        return a !== b;
      case "in":
        return filters.contains(a, b);
      default:
        return ordered(operator, a, b);
    }
  }
}

function ordered(operator: "<" | ">" | "<=" | ">=", a: unknown, b: unknown): boolean {
  const [x, y] = typeof a === "string" ? [a, filters.text(b)] : [Number(a), Number(b)];
  switch (operator) {
    case "<":
      return x < y;
    case ">":
      return x > y;
    case "<=":
      return x <= y;
    case ">=":
      return x >= y;
  }
}

/** The arguments' types were checked by `filter-rules.ts`. */
function applyFilter(name: string, input: unknown, args: readonly (string | number)[]): unknown {
  const filter: unknown = Reflect.get(filters, name);
  if (typeof filter !== "function") throw new Error(`There is no filter ${name}.`);
  return Reflect.apply(filter, undefined, [input, ...args]);
}
