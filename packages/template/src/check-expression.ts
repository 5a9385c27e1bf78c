/** The types of expressions. */
import type { Expression } from "./ast.js";
import { TemplateError, type TemplateErrorCode, type TemplateSource } from "./error.js";
import { filterResult, undoes } from "./filter-rules.js";
import type { Scope } from "./scope.js";
import { BOOL, FLOAT, INT, STR, type TemplateType, typeText, UNTRUSTED } from "./types.js";

export class ExpressionChecker {
  /** The variants behind each call of `kinds`. */
  readonly kinds = new Map<Expression, readonly string[]>();
  readonly #source: TemplateSource;

  constructor(source: TemplateSource) {
    this.#source = source;
  }

  /** @throws {TemplateError} */
  type(value: Expression, scope: Scope): TemplateType {
    switch (value.kind) {
      case "literal":
        return typeof value.value === "string"
          ? STR
          : typeof value.value === "boolean"
            ? BOOL
            : Number.isInteger(value.value)
              ? INT
              : FLOAT;
      case "string": {
        const parts = value.parts.map((part) => (typeof part === "string" ? STR : this.#scalar(part, scope)));
        return parts.some((part) => part.kind === "str" && part.untrusted === true) ? UNTRUSTED : STR;
      }
      case "path":
        return this.#path(value.names, value.at, scope);
      case "call":
        return this.#call(value, scope);
      case "filter": {
        const result = filterResult(value.name, this.type(value.input, scope), value.args);
        const { input } = value;
        if (input.kind === "filter" && undoes(value.name, input.name))
          this.fail(
            "filter",
            `\`${value.name}\` must stand before \`${input.name}\`, whose work it would undo.`,
            value.at,
          );
        if ("wrong" in result) this.fail("filter", result.wrong, value.at);
        return result.type;
      }
      case "not":
        this.condition(value.operand, scope);
        return BOOL;
      case "binary":
        return this.#binary(value, scope);
    }
  }

  /** What is printed as it is. */
  printed(value: Expression, scope: Scope): void {
    const type = this.#scalar(value, scope);
    if (type.kind === "str" && type.untrusted === true)
      this.fail(
        "untrusted",
        "This text comes from outside. Put it through `sanitize_tokens`, `quarantine`, `fence`, `escape_xml` or `escape_json`.",
        value.at,
      );
  }

  #scalar(value: Expression, scope: Scope): TemplateType {
    const type = this.type(value, scope);
    switch (type.kind) {
      case "str":
      case "bool":
      case "int":
      case "float":
        return type;
      case "option":
        return this.fail("type", `This may be absent, so test it first: \`{% if has(…) %}\`.`, value.at);
      default:
        return this.fail(
          "type",
          `A ${typeText(type)} cannot be printed. Print its parts, or use \`tojson\`.`,
          value.at,
        );
    }
  }

  /** What `if` and `!` take. */
  condition(value: Expression, scope: Scope): void {
    const type = this.type(value, scope);
    if (type.kind === "option") this.fail("type", "Test an option with `has(…)`.", value.at);
    if (type.kind === "struct" || type.kind === "enum")
      this.fail("type", `A ${typeText(type)} is neither true nor false.`, value.at);
  }

  /** What is known where the condition holds, or does not. */
  narrowing(value: Expression, scope: Scope, holds: boolean): [string, TemplateType][] {
    if (value.kind === "not") return this.narrowing(value.operand, scope, !holds);
    if (value.kind === "binary" && value.operator === (holds ? "&&" : "||"))
      return [...this.narrowing(value.left, scope, holds), ...this.narrowing(value.right, scope, holds)];
    const [argument] = value.kind === "call" && value.name === "has" ? value.args : [];
    if (!holds || argument?.kind !== "path") return [];
    const type = this.type(argument, scope);
    return type.kind === "option" ? [[argument.names.join("."), type.inner]] : [];
  }

  #path(names: readonly string[], at: number, scope: Scope): TemplateType {
    const [first = "", ...rest] = names;
    const variable = scope.find(first);
    if (variable === undefined) return this.fail("undeclared", `\`${first}\` is not declared.`, at);
    scope.used.add(first);
    let path = first;
    let type = scope.narrowedAt(path) ?? variable.type;
    for (const name of rest) {
      const field = type.kind === "struct" ? type.fields.get(name) : undefined;
      if (type.kind === "option")
        this.fail("type", `\`${path}\` may be absent, so test it first: \`has(${path})\`.`, at);
      if (field === undefined) this.fail("type", `\`${path}\` is ${typeText(type)}, which has no \`${name}\`.`, at);
      path = `${path}.${name}`;
      type = scope.narrowedAt(path) ?? field;
    }
    return type;
  }

  #call(value: Extract<Expression, { kind: "call" }>, scope: Scope): TemplateType {
    const { name, args, at } = value;
    const [argument] = args;
    const known = ["idx", "len", "kind", "kinds", "has"];
    if (!known.includes(name))
      this.fail("syntax", `There is no function \`${name}\`. There are ${known.join(", ")}.`, at);
    if (argument === undefined || args.length > 1) return this.fail("syntax", `\`${name}\` takes one argument.`, at);
    const type = this.type(argument, scope);
    switch (name) {
      case "idx": {
        const variable =
          argument.kind === "path" && argument.names.length === 1 ? scope.find(argument.names[0] ?? "") : undefined;
        if (variable?.loop !== true) this.fail("type", "`idx` takes the variable of a loop.", at);
        return INT;
      }
      case "len":
        if (type.kind !== "list" && type.kind !== "str") this.fail("type", "`len` takes a list or text.", at);
        return INT;
      case "has":
        if (argument.kind !== "path" || (type.kind !== "option" && !scope.narrowedAt(argument.names.join("."))))
          this.fail("type", "`has` takes the name of an option; this one is always there.", at);
        return BOOL;
      default:
        if (type.kind !== "enum") return this.fail("type", `\`${name}\` takes an enum.`, at);
        if (name === "kinds") this.kinds.set(value, [...type.variants.keys()]);
        return name === "kind" ? STR : { kind: "list", item: STR };
    }
  }

  #binary(value: Extract<Expression, { kind: "binary" }>, scope: Scope): TemplateType {
    const { operator, left, right, at } = value;
    if (operator === "&&" || operator === "||") {
      this.condition(left, scope);
      this.condition(right, scope.withNarrowed(this.narrowing(left, scope, operator === "&&")));
      return BOOL;
    }
    const a = this.type(left, scope);
    const b = this.type(right, scope);
    if (operator === "in") {
      const fits = b.kind === "list" ? sameScalar(a, b.item) : b.kind === "str" && a.kind === "str";
      if (!fits) this.fail("type", `A ${typeText(a)} cannot be in a ${typeText(b)}.`, at);
      return BOOL;
    }
    if (a.kind === "enum" || b.kind === "enum")
      this.fail("type", "Compare an enum with `match`, or its `kind(…)`.", at);
    const ordered = operator !== "==" && operator !== "!=";
    if (!sameScalar(a, b) || (ordered && a.kind === "bool"))
      this.fail("type", `${typeText(a)} and ${typeText(b)} cannot be compared with \`${operator}\`.`, at);
    return BOOL;
  }

  fail(code: TemplateErrorCode, reason: string, at: number): never {
    throw new TemplateError(code, reason, this.#source, at);
  }
}

function sameScalar(a: TemplateType, b: TemplateType): boolean {
  const isNumber = (type: TemplateType): boolean => type.kind === "int" || type.kind === "float";
  return (isNumber(a) && isNumber(b)) || (a.kind === b.kind && (a.kind === "str" || a.kind === "bool"));
}
