/** Object types: properties, index signatures, docs. */
import ts from "typescript";
import { symbolDocs, unreadComment } from "./docs.js";
import { orderedProperties } from "./property-order.js";
import type { PropertyShape, Shape } from "./shape.js";
import { applyDocTags } from "./tags.js";
import { acceptsUndefined, type Place, recursive, refuse, type Walk } from "./walk.js";
import { wellKnown } from "./well-known.js";

export function walkObject(type: ts.Type, place: Place, walk: Walk): Shape | undefined {
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
  return recursive(type, place, walk, () => {
    const properties: PropertyShape[] = [];
    let failed = false;
    for (const symbol of orderedProperties(type, place.node, checker)) {
      if (
        symbol.name.startsWith("__@") ||
        symbol.name === "typia.tag" ||
        isAbsent(symbol, place, walk) ||
        (walk.direction === "output" && isFunctionValued(symbol, place, walk))
      )
        continue;
      const property = walkProperty(symbol, place, walk);
      if (property !== undefined) properties.push(property);
      else if (isForeign(type)) return undefined;
      else failed = true;
    }
    const indexes = walkIndexes(type, place, walk);
    if (failed || indexes === undefined) return undefined;
    const { closed, ...rest } = indexes;
    if (
      properties.length === 0 &&
      rest.patterns.length === 0 &&
      rest.additional === undefined &&
      !closed &&
      checker.getPropertiesOfType(type).every((symbol) => symbol.name.startsWith("__@"))
    ) {
      return refuse(
        walk,
        place,
        type,
        "no property of it is known",
        "Name the properties, or use `Record<string, never>` for an empty object.",
      );
    }
    const description = ownDescription(type, checker);
    return { kind: "object", properties, ...rest, ...(description === "" ? {} : { description }) };
  });
}

function walkProperty(symbol: ts.Symbol, place: Place, walk: Walk): PropertyShape | undefined {
  const { checker } = walk;
  const declaration = symbol.declarations?.[0];
  const inUserCode = declaration !== undefined && !declaration.getSourceFile().isDeclarationFile;
  const inner: Place = {
    node: inUserCode ? declaration : place.node,
    label: `the property \`${symbol.name}\``,
    omittable: true,
    foreign: declaration !== undefined && !inUserCode,
  };
  if (inUserCode) reportUnreadComment(declaration, symbol, walk);
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
  const bare = walk.visit(type, inner);
  if (bare === undefined) return undefined;
  const docs = symbolDocs(symbol, checker);
  const tagged = applyDocTags(bare, docs.tags, walk.sink);
  const value = docs.description === "" ? tagged : { ...tagged, description: docs.description };
  return { name: symbol.name, value, optional };
}

function reportUnreadComment(declaration: ts.Declaration, symbol: ts.Symbol, walk: Walk): void {
  if (unreadComment(declaration) !== undefined) walk.sink.report("TSK1026", declaration, `\`${symbol.name}\``);
}

/** Of a library: its author cannot mend it, so one refusal is enough. */
function isForeign(type: ts.Type): boolean {
  return type.getSymbol()?.declarations?.[0]?.getSourceFile().isDeclarationFile ?? false;
}

/** `b?: never` and `b?: undefined`: a property that must not be there, as a closed object says already. */
function isAbsent(symbol: ts.Symbol, place: Place, walk: Walk): boolean {
  const type = walk.checker.getTypeOfSymbolAtLocation(symbol, place.node);
  return (
    (type.flags & (ts.TypeFlags.Never | ts.TypeFlags.Undefined)) !== 0 && (symbol.flags & ts.SymbolFlags.Optional) !== 0
  );
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
): { patterns: { pattern: string; value: Shape }[]; additional?: Shape; closed: boolean } | undefined {
  const patterns: { pattern: string; value: Shape }[] = [];
  let additional: Shape | undefined;
  let closed = false;
  for (const index of walk.checker.getIndexInfosOfType(type)) {
    if (index.keyType.flags & ts.TypeFlags.ESSymbolLike) continue;
    if (index.type.flags & ts.TypeFlags.Never) {
      closed = true;
      continue;
    }
    const node =
      index.declaration !== undefined && !index.declaration.getSourceFile().isDeclarationFile
        ? index.declaration
        : place.node;
    const value = walk.visit(index.type, { node, label: `a value of ${place.label}` });
    if (value === undefined) return undefined;
    const key = walk.visit(index.keyType, { node, label: `a key of ${place.label}` });
    if (key === undefined) return undefined;
    if (key.kind === "string" && key.pattern !== undefined) patterns.push({ pattern: key.pattern, value });
    else if (key.kind === "number") patterns.push({ pattern: "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$", value });
    else additional = value;
  }
  return additional === undefined ? { patterns, closed } : { patterns, additional, closed };
}

/** The doc comment of an interface, class or alias that the author wrote. */
function ownDescription(type: ts.Type, checker: ts.TypeChecker): string {
  const symbol = type.aliasSymbol ?? type.getSymbol();
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined || declaration.getSourceFile().isDeclarationFile) return "";
  return symbolDocs(symbol, checker).description;
}
