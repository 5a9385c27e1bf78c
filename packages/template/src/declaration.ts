/** `name = type := default`, as frontmatter declares it. */
import type { Declaration, TemplateValue } from "./ast.js";
import { TemplateError, type TemplateSource } from "./error.js";
import { TokenReader, unescaped } from "./tokens.js";
import { BOOL, type Fields, FLOAT, INT, STR, type TemplateType, typeText, UNTRUSTED } from "./types.js";

/** Types by alias, and which of them have been used. */
export interface TypeScope {
  readonly aliases: ReadonlyMap<string, TemplateType>;
  readonly used: Set<string>;
}

export function parseDeclaration(source: TemplateSource, start: number, end: number, scope: TypeScope): Declaration {
  const reader = new TokenReader(source, start, end);
  const name = reader.name("A name");
  if (!reader.takeIf("=")) {
    throw new TemplateError("frontmatter", `\`${name}\` has no type. Write \`${name} = str\`.`, source, start);
  }
  const type = parseType(reader, scope);
  const fallback = reader.takeIf(":=") ? defaultValue(reader, type) : undefined;
  reader.done();
  return { name, type, at: start, ...(fallback === undefined ? {} : { fallback }) };
}

function parseType(reader: TokenReader, scope: TypeScope): TemplateType {
  const { at } = reader;
  const name = reader.name("A type");
  switch (name) {
    case "str":
      return STR;
    case "bool":
      return BOOL;
    case "int":
      return INT;
    case "float":
      return FLOAT;
    case "untrusted":
      reader.expect("str");
      return UNTRUSTED;
    case "list": {
      reader.expect("(");
      const item = parseItem(reader, scope);
      reader.expect(")");
      return { kind: "list", item };
    }
    case "struct":
      reader.expect("(");
      return { kind: "struct", fields: parseFields(reader, scope) };
    case "option": {
      reader.expect("(");
      const inner = parseType(reader, scope);
      reader.expect(")");
      if (inner.kind === "option")
        throw new TemplateError("frontmatter", "An option of an option says nothing more.", reader.source, at);
      return { kind: "option", inner };
    }
    case "enum":
      return parseEnum(reader, scope);
    default: {
      const alias = scope.aliases.get(name);
      if (alias === undefined)
        throw new TemplateError("undeclared", `There is no type \`${name}\`.`, reader.source, at);
      scope.used.add(name);
      return alias;
    }
  }
}

/** `list(str)`, or `list(name=str, age=int)` for a list of structs. */
function parseItem(reader: TokenReader, scope: TypeScope): TemplateType {
  const rest = reader.source.text.slice(reader.at, reader.end);
  if (!/^\w+\s*=/.test(rest)) return parseType(reader, scope);
  return { kind: "struct", fields: parseFieldList(reader, scope) };
}

function parseFields(reader: TokenReader, scope: TypeScope): Fields {
  const fields = parseFieldList(reader, scope);
  reader.expect(")");
  return fields;
}

function parseFieldList(reader: TokenReader, scope: TypeScope): Fields {
  const fields = new Map<string, TemplateType>();
  do {
    const { at } = reader;
    const name = reader.name("The name of a field");
    if (fields.has(name))
      throw new TemplateError("frontmatter", `Two fields are named \`${name}\`.`, reader.source, at);
    reader.expect("=");
    fields.set(name, parseType(reader, scope));
  } while (reader.takeIf(","));
  return fields;
}

function parseEnum(reader: TokenReader, scope: TypeScope): TemplateType {
  const variants = new Map<string, Fields>();
  reader.expect("(");
  do {
    const { at } = reader;
    const name = reader.name("The name of a variant");
    if (variants.has(name))
      throw new TemplateError("frontmatter", `Two variants are named \`${name}\`.`, reader.source, at);
    variants.set(name, reader.takeIf("(") ? parseFields(reader, scope) : new Map());
  } while (reader.takeIf(","));
  reader.expect(")");
  return { kind: "enum", variants };
}

function defaultValue(reader: TokenReader, type: TemplateType): TemplateValue {
  const { at, source } = reader;
  const value = scalarOrNone(reader);
  if (value === null ? type.kind === "option" : fitsScalar(value, type.kind === "option" ? type.inner : type))
    return value;
  throw new TemplateError("type", `The default is no ${typeText(type)}.`, source, at);
}

function scalarOrNone(reader: TokenReader): string | number | boolean | null {
  const token = reader.take();
  if (token?.kind === "string") return unescaped(token.text, reader.source, token.at);
  if (token?.kind === "number") return Number(token.text);
  if (token?.kind === "name") {
    if (token.text === "None") return null;
    if (token.text === "true" || token.text === "false") return token.text === "true";
    return token.text;
  }
  throw new TemplateError(
    "syntax",
    "A default is a text, a number, true, false, None or a variant.",
    reader.source,
    token?.at ?? reader.end,
  );
}

/** Whether a scalar is one of the type's; a bare name is an enum's variant. */
export function fitsScalar(value: TemplateValue, type: TemplateType): boolean {
  switch (type.kind) {
    case "str":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "int":
      return typeof value === "number" && Number.isSafeInteger(value);
    case "float":
      return typeof value === "number" && Number.isFinite(value);
    case "enum":
      return typeof value === "string" && type.variants.get(value)?.size === 0;
    case "list":
    case "struct":
    case "option":
      return false;
  }
}
