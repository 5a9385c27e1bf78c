/**
 * The properties of an object type in the order in which the author wrote them. Where a mapped type (`Omit`, `Pick`, `Record`) names
 * its keys by a union, TypeScript's own order is that in which it first met each key, anywhere in the program; schemas would change
 * with other files.
 */
import ts from "typescript";
import { orderedMembers } from "./union-order.js";

export function orderedProperties(type: ts.Type, near: ts.Node, checker: ts.TypeChecker): readonly ts.Symbol[] {
  const properties = checker.getPropertiesOfType(type);
  if (!hasMappedPart(type, checker)) return properties;
  const names = new Set(namesOf(type, near, checker));
  const rank = new Map([...names].map((name, index) => [name, index]));
  const place = (symbol: ts.Symbol): number => rank.get(symbol.name) ?? names.size;
  return properties.toSorted((a, b) => place(a) - place(b));
}

function hasMappedPart(type: ts.Type, checker: ts.TypeChecker): boolean {
  return isMapped(type) || partsOf(type, checker).some((part) => hasMappedPart(part, checker));
}

function isMapped(type: ts.Type): boolean {
  return (objectFlags(type) & ts.ObjectFlags.Mapped) !== 0;
}

function objectFlags(type: ts.Type): ts.ObjectFlags {
  return (type.flags & ts.TypeFlags.Object) === 0 ? 0 : (type as ts.ObjectType).objectFlags;
}

/** What a type takes properties over from: the types of an intersection, the bases of an interface. */
function partsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  if (type.isIntersection()) return type.types;
  return type.isClassOrInterface() ? checker.getBaseTypes(type) : [];
}

function namesOf(type: ts.Type, near: ts.Node, checker: ts.TypeChecker): readonly string[] {
  const properties = checker.getPropertiesOfType(type);
  if (isMapped(type)) return mappedNames(type, properties, near, checker);
  const own = properties.filter(({ name }) => type.symbol?.members?.has(ts.escapeLeadingUnderscores(name)));
  const inherited = partsOf(type, checker).flatMap((part) => namesOf(part, near, checker));
  return [...own, ...(inherited.length === 0 ? properties : [])].map(({ name }) => name).concat(inherited);
}

/** Properties of another type stand where that declares them; keys without a declaration, as their union is written. */
function mappedNames(
  type: ts.Type,
  properties: readonly ts.Symbol[],
  near: ts.Node,
  checker: ts.TypeChecker,
): readonly string[] {
  const declared = properties.filter((property) => property.declarations !== undefined);
  const keys = properties.filter((property) => property.declarations === undefined).map(({ name }) => name);
  // `{ [K in keyof T as …]: … }` goes through the properties of T in their order.
  if (keys.length > 0 && isOverKeyof(type)) return properties.map(({ name }) => name);
  const written = keys.length === 0 ? [] : writtenKeys(type, keys, near, checker);
  return [...declared.toSorted(byDeclaration).map(({ name }) => name), ...written];
}

function isOverKeyof(type: ts.Type): boolean {
  const constraint = type.symbol?.declarations?.find(ts.isMappedTypeNode)?.typeParameter.constraint;
  return constraint !== undefined && ts.isTypeOperatorNode(constraint);
}

function byDeclaration(a: ts.Symbol, b: ts.Symbol): number {
  const [first, second] = [a.declarations?.[0], b.declarations?.[0]];
  if (first === undefined || second === undefined) return 0;
  const [file, other] = [first.getSourceFile().fileName, second.getSourceFile().fileName];
  return file === other ? first.pos - second.pos : file < other ? -1 : 1;
}

function writtenKeys(
  type: ts.Type,
  keys: readonly string[],
  near: ts.Node,
  checker: ts.TypeChecker,
): readonly string[] {
  const alias = type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration);
  for (const node of [...(alias === undefined ? [] : [alias.type]), near]) {
    const found = keysIn(node, keys, checker);
    if (found !== undefined) return found;
  }
  return keys.toSorted();
}

/** The keys as the first type under `node` lists them that has all of them. */
function keysIn(node: ts.Node, keys: readonly string[], checker: ts.TypeChecker): readonly string[] | undefined {
  if (ts.isBlock(node)) return undefined;
  if (ts.isTypeReferenceNode(node) || ts.isUnionTypeNode(node)) {
    const type = checker.getTypeFromTypeNode(node);
    const names = type.isUnion() ? orderedMembers(type, node, checker).flatMap(nameOf) : [];
    if (keys.every((key) => names.includes(key))) return names;
  }
  return ts.forEachChild(node, (child) => keysIn(child, keys, checker));
}

function nameOf(type: ts.Type): readonly string[] {
  return type.isStringLiteral() || type.isNumberLiteral() ? [String(type.value)] : [];
}
