/** Shapes that stand in many places of a large schema: written out each time, they would multiply. */
import type { Definitions, Shape } from "./shape.js";

/** Below this many parts a schema stays in one piece, since many clients strip `$defs`. */
const MAX_PARTS = 2_000;
/** Smaller shapes are not worth a reference. */
const MIN_SHARED = 4;

/** Names for the shapes to be referred to; empty for a schema of ordinary size. */
export function sharedShapes(root: Shape, definitions: Definitions): Map<Shape, string> {
  const sizes = new Map<Shape, number>();
  const uses = new Map<Shape, number>();
  const measure = (shape: Shape): number => {
    uses.set(shape, (uses.get(shape) ?? 0) + 1);
    const known = sizes.get(shape);
    if (known !== undefined) return known;
    const size = partsOf(shape).reduce((sum, part) => sum + measure(part), 1);
    sizes.set(shape, size);
    return size;
  };
  let total = measure(root);
  for (const shape of definitions.values()) total += measure(shape);
  const shared = new Map<Shape, string>();
  if (total <= MAX_PARTS) return shared;
  const taken = new Set(definitions.keys());
  for (const [shape, count] of uses) {
    if (count < 2 || shape === root || shape.kind === "ref" || (sizes.get(shape) ?? 0) < MIN_SHARED) continue;
    let n = shared.size + 1;
    while (taken.has(`Shared${n}`)) n++;
    taken.add(`Shared${n}`);
    shared.set(shape, `Shared${n}`);
  }
  return shared;
}

function partsOf(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case "any":
    case "null":
    case "boolean":
    case "string":
    case "number":
    case "literal":
    case "ref":
      return [];
    case "array":
      return [shape.items];
    case "tuple":
      return shape.rest === undefined ? shape.items : [...shape.items, shape.rest];
    case "object": {
      const parts = [...shape.properties.map(({ value }) => value), ...shape.patterns.map(({ value }) => value)];
      return shape.additional === undefined ? parts : [...parts, shape.additional];
    }
    case "union":
      return shape.members;
  }
}
