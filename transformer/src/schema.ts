/** Shape -> JSON Schema, draft 2020-12. Keys come in a fixed order, so that the same type gives the same bytes. */

import type { Definitions, Json, ObjectShape, Shape, StringShape } from "./shape.js";
import { sharedShapes } from "./shared-shapes.js";

export type JsonSchema = { [key: string]: Json };

/** What has been referred to so far, and what is to be referred to at all. */
interface Printing {
  readonly used: Map<string, Shape>;
  readonly shared: ReadonlyMap<Shape, string>;
  readonly definitions: Definitions;
}

/** The schema of an arguments object or a result; recursive types become `$defs`. */
export function schemaOf(shape: Shape, definitions: Definitions): JsonSchema {
  // A root `$ref` is refused by most clients, so the root is written out.
  const root = shape.kind === "ref" ? { ...resolve(shape.name, definitions), ...docsOf(shape) } : shape;
  const printing: Printing = { used: new Map(), shared: sharedShapes(root, definitions), definitions };
  const schema = printBody(root, printing);
  const defs: Record<string, Json> = {};
  for (const [name, used] of printing.used) defs[name] = printBody(used, printing);
  return printing.used.size === 0 ? schema : { ...schema, $defs: defs };
}

function resolve(name: string, definitions: Definitions): Shape {
  const shape = definitions.get(name);
  if (shape === undefined) throw new Error(`The definition ${name} is missing from the model.`);
  return shape;
}

function print(shape: Shape, printing: Printing): JsonSchema {
  const name = printing.shared.get(shape);
  if (name === undefined) return printBody(shape, printing);
  printing.used.set(name, shape);
  return { $ref: `#/$defs/${name}` };
}

function printBody(shape: Shape, printing: Printing): JsonSchema {
  return { ...printType(shape, printing), ...docsOf(shape) };
}

function docsOf(shape: Shape): JsonSchema {
  const docs: JsonSchema = {};
  if (shape.title !== undefined) docs.title = shape.title;
  if (shape.description !== undefined) docs.description = shape.description;
  if (shape.default !== undefined) docs.default = shape.default;
  if (shape.examples !== undefined) docs.examples = shape.examples;
  if (shape.deprecated !== undefined) docs.deprecated = shape.deprecated;
  return docs;
}

function printType(shape: Shape, printing: Printing): JsonSchema {
  switch (shape.kind) {
    case "any":
      return {};
    case "null":
    case "boolean":
      return { type: shape.kind };
    case "string":
      return defined({ type: "string", ...stringKeywords(shape) });
    case "number":
      return defined({
        type: shape.integer ? "integer" : "number",
        minimum: shape.minimum,
        maximum: shape.maximum,
        exclusiveMinimum: shape.exclusiveMinimum,
        exclusiveMaximum: shape.exclusiveMaximum,
        multipleOf: shape.multipleOf,
      });
    case "literal": {
      const types = new Set(shape.values.map((value) => typeof value));
      const [type] = types;
      return type !== undefined && types.size === 1 ? { type, enum: [...shape.values] } : { enum: [...shape.values] };
    }
    case "array":
      return defined({
        type: "array",
        items: print(shape.items, printing),
        minItems: shape.minItems,
        maxItems: shape.maxItems,
        uniqueItems: shape.uniqueItems,
      });
    case "tuple": {
      const items = shape.items.map((item) => print(item, printing));
      const closed = shape.rest === undefined;
      return defined({
        type: "array",
        prefixItems: items.length > 0 ? items : undefined,
        items: shape.rest === undefined ? (items.length > 0 ? false : undefined) : print(shape.rest, printing),
        minItems: shape.required,
        maxItems: closed ? items.length : undefined,
      });
    }
    case "object":
      return printObject(shape, printing);
    case "union":
      return { anyOf: shape.members.map((member) => print(member, printing)) };
    case "ref":
      printing.used.set(shape.name, resolve(shape.name, printing.definitions));
      return { $ref: `#/$defs/${shape.name}` };
  }
}

function stringKeywords(shape: StringShape): Record<string, Json | undefined> {
  const { minLength, maxLength, pattern, format } = shape;
  return { minLength, maxLength, pattern, format };
}

function printObject(shape: ObjectShape, printing: Printing): JsonSchema {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const property of shape.properties) {
    define(properties, property.name, print(property.value, printing));
    if (!property.optional) required.push(property.name);
  }
  const patterns: Record<string, Json> = {};
  for (const { pattern, value } of shape.patterns) define(patterns, pattern, print(value, printing));
  return defined({
    type: "object",
    properties,
    required: required.length > 0 ? required : undefined,
    patternProperties: shape.patterns.length > 0 ? patterns : undefined,
    additionalProperties: shape.additional === undefined ? false : print(shape.additional, printing),
  });
}

/** A plain assignment to `__proto__` would set the prototype. */
function define(target: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function defined(entries: Record<string, Json | undefined>): JsonSchema {
  const schema: JsonSchema = {};
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) schema[key] = value;
  return schema;
}
