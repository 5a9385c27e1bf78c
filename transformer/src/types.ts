/**
 * TypeScript type -> Shape. The walk is our own, because every refusal must point at the node that caused it; what
 * typia's tags and template literals mean is typia's analysis.
 */
import ts from "typescript";
import { symbolDocs } from "./docs.js";
import { walkArray, walkTuple } from "./lists.js";
import { walkObject } from "./objects.js";
import type { Shape } from "./shape.js";
import { applyTypeTags, typiaMetadata, validPattern } from "./tags.js";
import { templatePattern } from "./template-literal.js";
import { unionOf } from "./union.js";
import { orderedMembers } from "./union-order.js";
import { fail, type Place, refuse, type TypeScope, type Walk } from "./walk.js";

/** The shape of a type, or undefined where it was refused (the refusal is in the sink). */
export function shapeOfType(type: ts.Type, place: Place, scope: TypeScope): Shape | undefined {
  return walkType(type, place, walkOf(scope));
}

function walkOf(scope: TypeScope): Walk {
  const walk: Walk = {
    ...scope,
    open: new Map(),
    stopped: { value: false },
    visit: (type, place) => walkType(type, place, walk),
  };
  return walk;
}

function walkType(type: ts.Type, place: Place, walk: Walk): Shape | undefined {
  const { checker } = walk;
  if (type.flags & ts.TypeFlags.Any && !place.foreign) return fail(walk, place, "TSK1003", place.label);
  if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) {
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
  for (const member of orderedMembers(type, place.node, walk.checker)) {
    if (member.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) {
      if (walk.direction === "output" && !place.omittable) members.push({ kind: "null" });
      continue;
    }
    const shape = walkType(member, { ...place, omittable: false }, walk);
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
  const { checker } = walk;
  const values = type.types.filter((member) => !isTypeTag(member, checker));
  const carriers = values.filter((member) => !(member.flags & ts.TypeFlags.Object) || isList(member, checker));
  if (carriers.length > 1 && carriers.some((member) => member.flags & ts.TypeFlags.TemplateLiteral)) {
    return refuse(
      walk,
      place,
      type,
      "JSON Schema has no two patterns for one text",
      "Write one template, or one `@pattern`.",
    );
  }
  // A primitive carries the value; what objects it is intersected with can only be brands.
  const carrier = carriers[0] ?? (values.length === 1 ? values[0] : undefined);
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

/** One of typia's `tags.*`. */
function isTypeTag(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.getPropertyOfType(type, "typia.tag") !== undefined;
}

function isList(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isArrayType(type) || checker.isTupleType(type);
}
