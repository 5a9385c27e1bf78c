/**
 * The set of JSON values that a TypeScript type stands for. Schema, validator and decoder are all printed from it, so
 * that they cannot disagree.
 */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type Shape = (
  | AnyShape
  | NullShape
  | BooleanShape
  | StringShape
  | NumberShape
  | LiteralShape
  | ArrayShape
  | TupleShape
  | ObjectShape
  | UnionShape
  | RefShape
) &
  ShapeDocs;

/** What a model reads beside the type. */
export interface ShapeDocs {
  description?: string;
  title?: string;
  default?: Json;
  examples?: readonly Json[];
  deprecated?: boolean;
}

/** `unknown`: any JSON value. */
export interface AnyShape {
  kind: "any";
}

export interface NullShape {
  kind: "null";
}

export interface BooleanShape {
  kind: "boolean";
}

export interface StringShape {
  kind: "string";
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  /** The class that the function gets instead of the text. */
  revive?: "Date" | "URL";
}

export interface NumberShape {
  kind: "number";
  integer?: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
}

/** One of these values; never empty, `null` not among them. */
export interface LiteralShape {
  kind: "literal";
  values: readonly (string | number | boolean)[];
}

export interface ArrayShape {
  kind: "array";
  items: Shape;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}

export interface TupleShape {
  kind: "tuple";
  items: readonly Shape[];
  /** How many of the items must be there. */
  required: number;
  rest?: Shape;
}

export interface ObjectShape {
  kind: "object";
  properties: readonly PropertyShape[];
  /** Keys by pattern (template literal or number index signatures). */
  patterns: readonly { readonly pattern: string; readonly value: Shape }[];
  /** What other keys may hold; undefined where there may be none. */
  additional?: Shape;
}

export interface PropertyShape {
  readonly name: string;
  readonly value: Shape;
  readonly optional: boolean;
}

export interface UnionShape {
  kind: "union";
  members: readonly Shape[];
  /** The property whose literal value tells the members apart, where there is one. */
  discriminator?: string;
}

/** A recursive type, by its name in `Shapes.definitions`. */
export interface RefShape {
  kind: "ref";
  name: string;
}

/** The named shapes that refs point to. */
export type Definitions = Map<string, Shape>;

/** Whether a value of this shape holds something that the function gets in another form than JSON's. */
export function needsRevival(shape: Shape, definitions: Definitions, seen: ReadonlySet<string> = new Set()): boolean {
  const inner = (next: Shape): boolean => needsRevival(next, definitions, seen);
  switch (shape.kind) {
    case "any":
    case "null":
    case "boolean":
    case "number":
    case "literal":
      return false;
    case "string":
      return shape.revive !== undefined;
    case "array":
      return inner(shape.items);
    case "tuple":
      return shape.items.some(inner) || (shape.rest !== undefined && inner(shape.rest));
    case "object":
      return (
        shape.properties.some((property) => inner(property.value)) ||
        shape.patterns.some((entry) => inner(entry.value)) ||
        (shape.additional !== undefined && inner(shape.additional))
      );
    case "union":
      return shape.members.some(inner);
    case "ref": {
      if (seen.has(shape.name)) return false;
      const target = definitions.get(shape.name);
      return target !== undefined && needsRevival(target, definitions, new Set([...seen, shape.name]));
    }
  }
}
