/**
 * TypeScript type -> Shape. The walk is our own, because every refusal must point at the node that caused it; what
 * typia's tags and template literals mean is typia's analysis.
 */
import ts from "typescript";
import type { DiagnosticSink } from "./diagnostics.js";
import { symbolDocs } from "./docs.js";
import type { Definitions, PropertyShape, Shape } from "./shape.js";
import { applyDocTags, applyTypeTags, typiaMetadata, validPattern } from "./tags.js";
import { templatePattern } from "./template-literal.js";
import { unionOf } from "./union.js";

export interface TypeScope {
  readonly checker: ts.TypeChecker;
  readonly sink: DiagnosticSink;
  readonly definitions: Definitions;
  /** Input is what a model sends; output is what a function returns, where `toJSON` counts. */
  readonly direction: "input" | "output";
}

/** Where the walk stands. `label` names the value as the author would. */
export interface Place {
  readonly node: ts.Node;
  readonly label: string;
}

/** Object types that are being walked, from the outside in, and the names of those that turned out recursive. */
interface Walk extends TypeScope {
  readonly open: Map<ts.Type, { name: string | undefined }>;
}

/** The shape of a type, or undefined where it was refused (the refusal is in the sink). */
export function shapeOfType(type: ts.Type, place: Place, scope: TypeScope): Shape | undefined {
  return walkType(type, place, { ...scope, open: new Map() });
}

function walkType(type: ts.Type, place: Place, walk: Walk): Shape | undefined {
  const { checker } = walk;
  if (type.flags & ts.TypeFlags.Any) return fail(walk, place, "TSK1003", place.label);
  if (type.flags & ts.TypeFlags.Unknown) {
    if (walk.direction === "input") walk.sink.report("TSK1002", place.node, place.label);
    return { kind: "any" };
  }
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    if (constraint !== undefined && "isThisType" in type && type.isThisType === true)
      return walkType(constraint, place, walk);
    return fail(walk, place, "TSK1017", place.label, checker.typeToString(type));
  }
  if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) {
    // A function that returns nothing answers `null`.
    if (walk.direction === "output") return { kind: "null" };
    return refuse(
      walk,
      place,
      type,
      "it has no value for `undefined` here",
      "Use an optional property or parameter, or `null`.",
    );
  }
  if (type.flags & ts.TypeFlags.Null) return { kind: "null" };
  if (type.flags & ts.TypeFlags.Never)
    return refuse(walk, place, type, "no value has this type", "Use a type that has values.");
  if (type.isUnion()) return walkUnion(type, place, walk);
  if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: "literal", values: [type.value] };
  if (type.flags & ts.TypeFlags.BooleanLiteral)
    return { kind: "literal", values: [checker.typeToString(type) === "true"] };
  if (type.flags & ts.TypeFlags.BooleanLike) return { kind: "boolean" };
  if (type.flags & ts.TypeFlags.BigIntLike) {
    return refuse(
      walk,
      place,
      type,
      "JSON has no big integers",
      "Use `number`, or a `string` of digits that you convert.",
    );
  }
  if (type.flags & ts.TypeFlags.ESSymbolLike)
    return refuse(walk, place, type, "JSON has no symbols", "Use a `string` literal.");
  if (type.flags & ts.TypeFlags.TemplateLiteral) return walkTemplate(type, place, walk);
  if (type.flags & ts.TypeFlags.StringLike) return { kind: "string" };
  if (type.flags & ts.TypeFlags.NumberLike) return { kind: "number" };
  if (type.isIntersection()) return walkIntersection(type, place, walk);
  if (checker.isTupleType(type)) return walkTuple(type, place, walk);
  if (checker.isArrayType(type)) return walkArray(type, place, walk);
  return walkObject(type, place, walk);
}

function walkUnion(type: ts.UnionType, place: Place, walk: Walk): Shape | undefined {
  const members: Shape[] = [];
  const docs: string[] = [];
  for (const member of type.types) {
    if (member.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) {
      if (walk.direction === "output") members.push({ kind: "null" });
      continue;
    }
    const shape = walkType(member, place, walk);
    if (shape === undefined) return undefined;
    members.push(shape);
    const note = member.flags & ts.TypeFlags.EnumLiteral ? enumMemberNote(member, walk) : undefined;
    if (note !== undefined) docs.push(note);
  }
  const union = unionOf(members);
  return docs.length > 0 ? { ...union, description: docs.join("\n") } : union;
}

/** Enum members may be documented; a model sees only the values, so the notes go into the description. */
function enumMemberNote(member: ts.Type, walk: Walk): string | undefined {
  if (!member.isLiteral() || member.symbol === undefined) return undefined;
  const { description } = symbolDocs(member.symbol, walk.checker);
  return description === "" ? undefined : `${JSON.stringify(member.value)}: ${description}`;
}

function walkTemplate(type: ts.Type, place: Place, walk: Walk): Shape | undefined {
  const metadata = typiaMetadata(type, walk.checker);
  const template = metadata?.templates[0];
  if (template === undefined) return { kind: "string" };
  const pattern = `^${templatePattern(template)}$`;
  if (!validPattern(pattern, place.node, walk.sink)) return undefined;
  return { kind: "string", pattern };
}

/** Primitive & brand, primitive & typia tags, array & tags, or objects merged. */
function walkIntersection(type: ts.IntersectionType, place: Place, walk: Walk): Shape | undefined {
  const bare = type.types.filter((member) => !isMarker(member, walk.checker));
  const carriers = bare.filter((member) => !(member.flags & ts.TypeFlags.Object) || isList(member, walk.checker));
  // A primitive carries the value; what objects it is intersected with can only be brands.
  const carrier = carriers[0] ?? (bare.length === 1 ? bare[0] : undefined);
  if (carrier === undefined) return walkObject(type, place, walk);
  const shape = walkType(carrier, place, walk);
  if (shape === undefined || !type.types.some((member) => isTypeTag(member, walk.checker))) return shape;
  // Brands would make typia refuse the whole; the tags alone never do.
  const metadata = typiaMetadata(type, walk.checker);
  if (metadata === undefined) {
    walk.sink.report(
      "TSK1012",
      place.node,
      "tags",
      walk.checker.typeToString(type),
      "the type tags contradict each other or the type",
    );
    return undefined;
  }
  return applyTypeTags(shape, metadata, place.node, walk.sink);
}

function isTypeTag(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.getPropertyOfType(type, "typia.tag") !== undefined;
}

/** An object type that only marks: typia's tags, or a brand with symbol or `__brand`-like keys. */
function isMarker(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!(type.flags & ts.TypeFlags.Object)) return false;
  if (isTypeTag(type, checker)) return true;
  const properties = checker.getPropertiesOfType(type);
  return (
    properties.length > 0 &&
    properties.every((p) => p.name.startsWith("__@") || /^_{1,2}[a-z]*(brand|tag|type|opaque|nominal)/i.test(p.name))
  );
}

function isList(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isArrayType(type) || checker.isTupleType(type);
}

function walkArray(type: ts.Type, place: Place, walk: Walk): Shape | undefined {
  const element = walk.checker.getTypeArguments(referenceOf(type))[0];
  if (element === undefined)
    return refuse(walk, place, type, "its element type is not known", "Write the element type.");
  return recursive(type, walk, () => {
    const items = walkType(element, { ...place, label: `an element of ${place.label}` }, walk);
    return items === undefined ? undefined : { kind: "array", items };
  });
}

function walkTuple(type: ts.Type, place: Place, walk: Walk): Shape | undefined {
  const reference = referenceOf(type);
  const { elementFlags } = tupleTarget(reference);
  return recursive(type, walk, () => {
    const items: Shape[] = [];
    let required = 0;
    let rest: Shape | undefined;
    for (const [index, element] of walk.checker.getTypeArguments(reference).entries()) {
      const flags = elementFlags[index] ?? ts.ElementFlags.Required;
      const shape = walkType(element, { ...place, label: `element ${index} of ${place.label}` }, walk);
      if (shape === undefined) return undefined;
      if (flags & ts.ElementFlags.Variable) {
        rest = shape;
        if (index !== elementFlags.length - 1) {
          return refuse(
            walk,
            place,
            type,
            "JSON Schema has no rest element in the middle of a tuple",
            "Put the rest element last.",
          );
        }
      } else {
        items.push(shape);
        if (flags & ts.ElementFlags.Required) required = items.length;
      }
    }
    return rest === undefined ? { kind: "tuple", items, required } : { kind: "tuple", items, required, rest };
  });
}

function walkObject(type: ts.Type, place: Place, walk: Walk): Shape | undefined {
  const { checker } = walk;
  const special = wellKnown(type, place, walk);
  if (special !== undefined) return special === "refused" ? undefined : special;
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) {
    return refuse(
      walk,
      place,
      type,
      "it is a function",
      "Take a value that names what to do, and look the function up yourself.",
    );
  }
  if (type.flags & ts.TypeFlags.NonPrimitive) {
    return refuse(
      walk,
      place,
      type,
      "`object` says nothing of its properties",
      "Use an interface, or `Record<string, …>`.",
    );
  }
  return recursive(type, walk, () => {
    const properties: PropertyShape[] = [];
    let failed = false;
    for (const symbol of checker.getPropertiesOfType(type)) {
      if (symbol.name.startsWith("__@") || (walk.direction === "output" && isFunctionValued(symbol, place, walk)))
        continue;
      const property = walkProperty(symbol, place, walk);
      if (property === undefined) failed = true;
      else properties.push(property);
    }
    const indexes = walkIndexes(type, place, walk);
    if (failed || indexes === undefined) return undefined;
    const description = ownDescription(type, checker);
    return { kind: "object", properties, ...indexes, ...(description === "" ? {} : { description }) };
  });
}

function walkProperty(symbol: ts.Symbol, place: Place, walk: Walk): PropertyShape | undefined {
  const { checker } = walk;
  const declaration = symbol.declarations?.[0];
  const inUserCode = declaration !== undefined && !declaration.getSourceFile().isDeclarationFile;
  const inner: Place = { node: inUserCode ? declaration : place.node, label: `the property \`${symbol.name}\`` };
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration ?? place.node);
  const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0 || acceptsUndefined(type);
  if ((symbol.flags & ts.SymbolFlags.Method) !== 0) {
    refuse(walk, inner, type, "it is a method", "Use a plain object type without methods.");
    return undefined;
  }
  if (
    declaration !== undefined &&
    ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)
  ) {
    refuse(
      walk,
      inner,
      type,
      "it is private, so an instance of the class would be needed",
      "Use an interface with the public fields.",
    );
    return undefined;
  }
  const bare = walkType(type, inner, walk);
  if (bare === undefined) return undefined;
  const docs = symbolDocs(symbol, checker);
  const tagged = applyDocTags(bare, docs.tags, walk.sink);
  const value = docs.description === "" ? tagged : { ...tagged, description: docs.description };
  return { name: symbol.name, value, optional };
}

/** What `JSON.stringify` leaves out. */
function isFunctionValued(symbol: ts.Symbol, place: Place, walk: Walk): boolean {
  if (symbol.flags & ts.SymbolFlags.Method) return true;
  return walk.checker.getTypeOfSymbolAtLocation(symbol, place.node).getCallSignatures().length > 0;
}

function walkIndexes(
  type: ts.Type,
  place: Place,
  walk: Walk,
): { patterns: { pattern: string; value: Shape }[]; additional?: Shape } | undefined {
  const patterns: { pattern: string; value: Shape }[] = [];
  let additional: Shape | undefined;
  for (const index of walk.checker.getIndexInfosOfType(type)) {
    if (index.keyType.flags & ts.TypeFlags.ESSymbolLike) continue;
    const node =
      index.declaration !== undefined && !index.declaration.getSourceFile().isDeclarationFile
        ? index.declaration
        : place.node;
    const value = walkType(index.type, { node, label: `a value of ${place.label}` }, walk);
    if (value === undefined) return undefined;
    const key = walkType(index.keyType, { node, label: `a key of ${place.label}` }, walk);
    if (key === undefined) return undefined;
    if (key.kind === "string" && key.pattern !== undefined) patterns.push({ pattern: key.pattern, value });
    else if (key.kind === "number") patterns.push({ pattern: "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$", value });
    else additional = value;
  }
  return additional === undefined ? { patterns } : { patterns, additional };
}

/** Built-in classes: some have a string form, the others cannot be sent. */
function wellKnown(type: ts.Type, place: Place, walk: Walk): Shape | "refused" | undefined {
  const symbol = type.getSymbol();
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined) return undefined;
  if (isBuiltIn(declaration)) {
    if (symbol.name === "Date") return revivable({ kind: "string", format: "date-time" }, "Date", walk);
    if (symbol.name === "URL") return revivable({ kind: "string", format: "uri" }, "URL", walk);
    if (symbol.name === "String") return { kind: "string" };
    if (symbol.name === "Number") return { kind: "number" };
    if (symbol.name === "Boolean") return { kind: "boolean" };
    const advice = BUILT_IN_ADVICE[symbol.name];
    if (advice !== undefined) {
      refuse(walk, place, type, `JSON has no ${symbol.name}`, advice);
      return "refused";
    }
  }
  if (walk.direction === "output") {
    const toJson = walk.checker.getPropertyOfType(type, "toJSON");
    const signature = toJson && walk.checker.getTypeOfSymbolAtLocation(toJson, place.node).getCallSignatures()[0];
    if (signature !== undefined) return walkType(signature.getReturnType(), place, walk) ?? "refused";
  }
  return undefined;
}

/** Declared by TypeScript's own libraries or by Node's types, not by a package that happens to use the same name. */
function isBuiltIn(declaration: ts.Declaration): boolean {
  return /(?:^|\/)(?:lib\.[\w.]+\.d\.ts$|@types\/node\/)/.test(declaration.getSourceFile().fileName);
}

const BUILT_IN_ADVICE: Readonly<Record<string, string>> = {
  Map: "Use `Record<string, …>` or an array of pairs.",
  Set: "Use an array (with `@uniqueItems`).",
  WeakMap: "Use `Record<string, …>`.",
  WeakSet: "Use an array.",
  Promise: "Take the value itself.",
  RegExp: "Use a `string` with the pattern.",
  Error: "Use a `string` with the message.",
  ArrayBuffer: "Use a `string` in base64.",
  Uint8Array: "Use a `string` in base64.",
  Buffer: "Use a `string` in base64.",
  Blob: "Use a `string` in base64.",
  File: "Use a `string` in base64.",
  ReadableStream: "Use a `string`.",
  AbortSignal: "Take a `ToolContext`: it carries the signal and is not part of the schema.",
};

function revivable(shape: Shape & { kind: "string" }, revive: "Date" | "URL", walk: Walk): Shape {
  return walk.direction === "input" ? { ...shape, revive } : shape;
}

/** Walks a composite type once; where it contains itself, the inner place becomes a ref and the shape a definition. */
function recursive(type: ts.Type, walk: Walk, build: () => Shape | undefined): Shape | undefined {
  const open = walk.open.get(type);
  if (open !== undefined) {
    open.name ??= definitionName(type, walk);
    return { kind: "ref", name: open.name };
  }
  const entry: { name: string | undefined } = { name: undefined };
  walk.open.set(type, entry);
  try {
    const shape = build();
    if (shape === undefined || entry.name === undefined) return shape;
    walk.definitions.set(entry.name, shape);
    return { kind: "ref", name: entry.name };
  } finally {
    walk.open.delete(type);
  }
}

function definitionName(type: ts.Type, walk: Walk): string {
  const symbol = type.aliasSymbol ?? type.getSymbol();
  const stem =
    symbol === undefined || symbol.name.startsWith("__") || symbol.name === "Array" ? "Recursive" : symbol.name;
  const taken = new Set([...walk.definitions.keys(), ...[...walk.open.values()].map((entry) => entry.name)]);
  let name = stem;
  for (let n = 2; taken.has(name); n++) name = `${stem}${n}`;
  return name;
}

/** The doc comment of an interface, class or alias that the author wrote. */
function ownDescription(type: ts.Type, checker: ts.TypeChecker): string {
  const symbol = type.aliasSymbol ?? type.getSymbol();
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined || declaration.getSourceFile().isDeclarationFile) return "";
  return symbolDocs(symbol, checker).description;
}

/** True where a value may be left out. */
export function acceptsUndefined(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(acceptsUndefined);
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return "target" in type;
}

function referenceOf(type: ts.Type): ts.TypeReference {
  if (isReference(type)) return type;
  throw new TypeError("An array or tuple type is always a reference to its generic.");
}

function isTupleTarget(type: ts.GenericType): type is ts.GenericType & ts.TupleType {
  return "elementFlags" in type;
}

function tupleTarget(type: ts.TypeReference): ts.TupleType {
  if (isTupleTarget(type.target)) return type.target;
  throw new TypeError("A tuple type always has a tuple as its target.");
}

function refuse(walk: Walk, place: Place, type: ts.Type, why: string, way: string): undefined {
  const name = walk.checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  const shown = name.length > 80 ? `${name.slice(0, 77)}...` : name;
  return fail(walk, place, "TSK1001", `${place.label} of type \`${shown}\``, why, way);
}

function fail(
  walk: Walk,
  place: Place,
  code: Parameters<DiagnosticSink["report"]>[0],
  ...details: string[]
): undefined {
  walk.sink.report(code, place.node, ...details);
  return undefined;
}
