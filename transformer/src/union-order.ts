/**
 * The members of a union in the order in which the author wrote them. TypeScript sorts them by when it first met each, so
 * its own order changes with what else is in the program, and schemas would with it.
 */
import ts from "typescript";

export function orderedMembers(type: ts.UnionType, near: ts.Node, checker: ts.TypeChecker): ts.Type[] {
  const rank = new Map<ts.Type, number>();
  for (const node of writtenUnions(type, near)) {
    const written = typesOf(node, checker, 0);
    // `boolean` stands for two members, and nobody minds their order.
    const covers = type.types.every((member) => written.includes(member) || member.flags & IGNORED);
    if (!covers) continue;
    for (const member of written) if (!rank.has(member)) rank.set(member, rank.size);
    break;
  }
  const place = (member: ts.Type): number => rank.get(member) ?? Number.POSITIVE_INFINITY;
  return type.types.toSorted((a, b) => {
    const [first, second] = [place(a), place(b)];
    return first === second ? compare(keyOf(a, checker), keyOf(b, checker)) : first - second;
  });
}

const IGNORED = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Null | ts.TypeFlags.BooleanLike;

/** Where the union may be written down: in the alias that names it, or around the place where it is used. */
function writtenUnions(type: ts.UnionType, near: ts.Node): ts.TypeNode[] {
  const found: ts.TypeNode[] = [];
  const alias = type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration);
  if (alias !== undefined) found.push(alias.type);
  const visit = (node: ts.Node): void => {
    if (ts.isUnionTypeNode(node)) found.push(node);
    // The body of a function says nothing of its signature.
    if (!ts.isBlock(node)) ts.forEachChild(node, visit);
  };
  visit(near);
  return found;
}

const MAX_ALIASES = 8;

function typesOf(node: ts.TypeNode, checker: ts.TypeChecker, depth: number): ts.Type[] {
  if (ts.isParenthesizedTypeNode(node)) return typesOf(node.type, checker, depth);
  if (ts.isUnionTypeNode(node)) return node.types.flatMap((member) => typesOf(member, checker, depth));
  const type = checker.getTypeFromTypeNode(node);
  if (!type.isUnion()) return [type];
  const alias = type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration);
  if (alias !== undefined && alias.type !== node && alias.typeParameters === undefined && depth < MAX_ALIASES) {
    return typesOf(alias.type, checker, depth + 1);
  }
  return type.types.toSorted((a, b) => compare(keyOf(a, checker), keyOf(b, checker)));
}

type Key = readonly [group: number, file: string, position: number, text: string];

/** Numbers, then text, each by value; enum members and object types by where they are declared. */
function keyOf(type: ts.Type, checker: ts.TypeChecker): Key {
  const declaration = type.symbol?.declarations?.[0];
  if (declaration !== undefined)
    return [2, declaration.getSourceFile().fileName, declaration.pos, checker.typeToString(type)];
  if (type.isNumberLiteral()) return [0, "", type.value, ""];
  if (type.isStringLiteral()) return [1, "", 0, type.value];
  return [3, "", type.flags, checker.typeToString(type)];
}

function compare(a: Key, b: Key): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right !== undefined && left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
