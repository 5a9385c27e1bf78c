/** Expressions: `a.b | filter(1)`, `!x && len(xs) > 2`. */
import type { Expression, Operator } from "./ast.js";
import { TemplateError, type TemplateSource } from "./error.js";
import { type TokenReader as Reader, TokenReader, unescaped } from "./tokens.js";

/** The whole of `start..end` as one expression. */
export function parseExpression(source: TemplateSource, start: number, end: number): Expression {
  const reader = new TokenReader(source, start, end);
  const value = expression(reader);
  reader.done();
  return value;
}

/** Reads one expression and leaves the reader after it. */
export function expression(reader: Reader): Expression {
  return either(reader);
}

function either(reader: Reader): Expression {
  let left = both(reader);
  while (reader.peek?.text === "||" && reader.peek.kind === "sign") left = binary("||", left, reader, both);
  return left;
}

function both(reader: Reader): Expression {
  let left = comparison(reader);
  while (reader.peek?.text === "&&" && reader.peek.kind === "sign") left = binary("&&", left, reader, comparison);
  return left;
}

const COMPARISONS: readonly Operator[] = ["==", "!=", "<=", ">=", "<", ">", "in"];

function comparison(reader: Reader): Expression {
  const left = unary(reader);
  const token = reader.peek;
  const operator = token?.kind === "string" ? undefined : COMPARISONS.find((name) => name === token?.text);
  return operator === undefined ? left : binary(operator, left, reader, unary);
}

function binary(operator: Operator, left: Expression, reader: Reader, next: (r: Reader) => Expression): Expression {
  const { at } = reader;
  reader.take();
  return { kind: "binary", operator, left, right: next(reader), at };
}

function unary(reader: Reader): Expression {
  const { at } = reader;
  if (reader.takeIf("!")) return { kind: "not", operand: unary(reader), at };
  let value = primary(reader);
  while (reader.takeIf("|")) {
    const filterAt = reader.at;
    const name = reader.name("The name of a filter");
    value = {
      kind: "filter",
      name,
      input: value,
      args: reader.takeIf("(") ? filterArguments(reader) : [],
      at: filterAt,
    };
  }
  return value;
}

function filterArguments(reader: Reader): (string | number)[] {
  const args: (string | number)[] = [];
  while (!reader.takeIf(")")) {
    if (args.length > 0) reader.expect(",");
    const token = reader.take();
    if (token?.kind === "string") args.push(unescaped(token.text, reader.source, token.at));
    else if (token?.kind === "number") args.push(Number(token.text));
    else throw new TemplateError("syntax", "A filter takes texts and numbers.", reader.source, token?.at ?? reader.end);
  }
  return args;
}

function primary(reader: Reader): Expression {
  const { at } = reader;
  const token = reader.take();
  switch (token?.kind) {
    case "number":
      return { kind: "literal", value: Number(token.text), at };
    case "string":
      return stringValue(token.text, reader.source, at);
    case "name": {
      if (token.text === "true" || token.text === "false") return { kind: "literal", value: token.text === "true", at };
      if (token.text === "not") throw new TemplateError("syntax", "Write `!` for `not`.", reader.source, at);
      if (reader.takeIf("(")) return call(token.text, reader, at);
      const names = [token.text];
      while (reader.takeIf(".")) names.push(reader.name("The name of a field"));
      return { kind: "path", names, at };
    }
    case "sign":
      if (token.text === "(") {
        const inner = expression(reader);
        reader.expect(")");
        return inner;
      }
  }
  throw new TemplateError("syntax", "A value is expected here.", reader.source, at);
}

function call(name: string, reader: Reader, at: number): Expression {
  const args: Expression[] = [];
  while (!reader.takeIf(")")) {
    if (args.length > 0) reader.expect(",");
    args.push(expression(reader));
  }
  return { kind: "call", name, args, at };
}

/** A string; what stands in `{{ }}` is an expression. */
export function stringValue(text: string, source: TemplateSource, at: number): Expression {
  const parts: (string | Expression)[] = [];
  let from = 0;
  for (const found of text.matchAll(/\{\{(.*?)\}\}/gs)) {
    if (found.index > from) parts.push(unescaped(text.slice(from, found.index), source, at));
    const start = at + 1 + found.index + 2;
    parts.push(parseExpression(source, start, start + (found[1]?.length ?? 0)));
    from = found.index + found[0].length;
  }
  if (parts.length === 0) return { kind: "literal", value: unescaped(text, source, at), at };
  if (from < text.length) parts.push(unescaped(text.slice(from), source, at));
  return { kind: "string", parts, at };
}
