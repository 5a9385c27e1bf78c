/** Object types: properties, index signatures, docs. */
import ts from "typescript";
import { symbolDocs } from "./docs.js";
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
    for (const symbol of checker.getPropertiesOfType(type)) {
      if (symbol.name.startsWith("__@") || (walk.direction === "output" && isFunctionValued(symbol, place, walk)))
        continue;
      const property = walkProperty(symbol, place, walk);
      if (property !== undefined) properties.push(property);
      else if (isForeign(type)) return undefined;
      else failed = true;
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
  const inner: Place = {
    node: inUserCode ? declaration : place.node,
    label: `the property \`${symbol.name}\``,
    omittable: true,
  };
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

/** Of a library: its author cannot mend it, so one refusal is enough. */
function isForeign(type: ts.Type): boolean {
  return type.getSymbol()?.declarations?.[0]?.getSourceFile().isDeclarationFile ?? false;
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
    const value = walk.visit(index.type, { node, label: `a value of ${place.label}` });
    if (value === undefined) return undefined;
    const key = walk.visit(index.keyType, { node, label: `a key of ${place.label}` });
    if (key === undefined) return undefined;
    if (key.kind === "string" && key.pattern !== undefined) patterns.push({ pattern: key.pattern, value });
    else if (key.kind === "number") patterns.push({ pattern: "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$", value });
    else additional = value;
  }
  return additional === undefined ? { patterns } : { patterns, additional };
}

/** The doc comment of an interface, class or alias that the author wrote. */
function ownDescription(type: ts.Type, checker: ts.TypeChecker): string {
  const symbol = type.aliasSymbol ?? type.getSymbol();
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined || declaration.getSourceFile().isDeclarationFile) return "";
  return symbolDocs(symbol, checker).description;
}
