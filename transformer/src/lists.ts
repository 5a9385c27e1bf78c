/** Arrays and tuples. */
import ts from "typescript";
import type { Shape } from "./shape.js";
import { type Place, recursive, refuse, type Walk } from "./walk.js";

export function walkArray(type: ts.Type, place: Place, walk: Walk): Shape | undefined {
  const element = walk.checker.getTypeArguments(referenceOf(type))[0];
  if (element === undefined)
    return refuse(walk, place, type, "its element type is not known", "Write the element type.");
  return recursive(type, place, walk, () => {
    const items = walk.visit(element, { ...place, label: elementLabel(place.label) });
    return items === undefined ? undefined : { kind: "array", items };
  });
}

export function walkTuple(type: ts.Type, place: Place, walk: Walk): Shape | undefined {
  const reference = referenceOf(type);
  const { elementFlags } = tupleTarget(reference);
  return recursive(type, place, walk, () => {
    const items: Shape[] = [];
    let required = 0;
    let rest: Shape | undefined;
    for (const [index, element] of walk.checker.getTypeArguments(reference).entries()) {
      const flags = elementFlags[index] ?? ts.ElementFlags.Required;
      const shape = walk.visit(element, { ...place, label: `element ${index} of ${place.label}` });
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

function elementLabel(label: string): string {
  return label.startsWith("an element of") ? label : `an element of ${label}`;
}
