/** Constraints from JSDoc tags, and from typia's `tags.*` types as typia's own analysis reads them. */
import { MetadataCollection, MetadataFactory, type MetadataSchema } from "@typia/core";
import type ts from "typescript";
import type { DiagnosticSink } from "./diagnostics.js";
import type { DocTag } from "./docs.js";
import type { Json, Shape } from "./shape.js";
import { CONSTRAINTS, reportValueTag } from "./tag-names.js";

/** Applies the doc tags to the shape (to the fitting members of a union) and gives the result. */
export function applyDocTags(shape: Shape, tags: readonly DocTag[], sink: DiagnosticSink): Shape {
  let result = shape;
  for (const tag of tags) {
    const target = Object.hasOwn(CONSTRAINTS, tag.name) ? CONSTRAINTS[tag.name] : undefined;
    if (target !== undefined) result = applyConstraint(result, tag, target, sink);
    else result = applyAnnotation(result, tag);
    reportValueTag(tag, sink);
  }
  return result;
}

function applyConstraint(
  shape: Shape,
  tag: DocTag,
  target: "string" | "number" | "array",
  sink: DiagnosticSink,
): Shape {
  const fits = (member: Shape): boolean => member.kind === target || (target === "array" && member.kind === "tuple");
  if (tag.name === "type" && shape.kind !== "number") return shape;
  const candidates = shape.kind === "union" ? shape.members : [shape];
  if (!candidates.some(fits)) {
    sink.report("TSK1012", tag.node, tag.name, tag.text, `it needs a ${target}, and this is ${article(shape.kind)}`);
    return shape;
  }
  const fragment = parseConstraint(tag, sink);
  if (fragment === undefined) return shape;
  if (shape.kind !== "union") return mergeFragment(shape, fragment, tag.node, sink);
  return { ...shape, members: shape.members.map((m) => (fits(m) ? mergeFragment(m, fragment, tag.node, sink) : m)) };
}

/** A fragment of JSON Schema; the tags are those of typia, so that its users find what they know. */
function parseConstraint(tag: DocTag, sink: DiagnosticSink): object | undefined {
  const bad = (why: string): undefined => {
    sink.report("TSK1012", tag.node, tag.name, tag.text, why);
    return undefined;
  };
  const { name } = tag;
  if (name === "uniqueItems") return { uniqueItems: tag.text !== "false" };
  if (tag.text === "") return bad("it has no value");
  if (name === "pattern" || name === "format") return { [name]: tag.text };
  if (name === "type") {
    const width = tag.text.replace(/^\{|\}$/g, "");
    return schemaOfTag({ kind: "type", value: WIDTHS[width] ?? width });
  }
  const value = Number(tag.text);
  if (!Number.isFinite(value)) return bad("its value is not a number");
  const counts = name !== "minimum" && name !== "maximum" && !name.startsWith("exclusive") && name !== "multipleOf";
  if (counts && (!Number.isInteger(value) || value < 0)) return bad("its value must be a whole number, 0 or more");
  if (name === "multipleOf" && value <= 0) return bad("its value must be more than 0");
  if (name === "length") return { minLength: value, maxLength: value };
  if (name === "items") return { minItems: value, maxItems: value };
  return { [name]: value };
}

const WIDTHS: Readonly<Record<string, string>> = { int: "int64", integer: "int64", uint: "uint64" };

/** Integer widths bound the value in typia's own validators, but not in its schemas; here both say the same. */
function schemaOfTag(tag: {
  readonly kind: string;
  readonly value?: unknown;
  readonly schema?: object | undefined;
}): object {
  if (tag.kind === "type") {
    switch (tag.value) {
      case "int32":
        return { type: "integer", minimum: -2147483648, maximum: 2147483647 };
      case "uint32":
        return { type: "integer", minimum: 0, maximum: 4294967295 };
      case "int64":
        return { type: "integer" };
      case "uint64":
        return { type: "integer", minimum: 0 };
      default:
        return {};
    }
  }
  return tag.schema ?? {};
}

/** Lays a fragment of JSON Schema over a shape. */
function mergeFragment(shape: Shape, fragment: object, node: ts.Node, sink: DiagnosticSink): Shape {
  const merged: Shape = { ...shape };
  for (const [key, value] of Object.entries(fragment)) {
    if (key === "type") {
      if (value === "integer" && merged.kind === "number") merged.integer = true;
    } else if (key === "pattern") {
      if (!validPattern(String(value), node, sink)) continue;
      Object.assign(merged, { pattern: value });
    } else if (key === "minimum" && merged.kind === "number") {
      merged.minimum = Math.max(Number(value), merged.minimum ?? Number.NEGATIVE_INFINITY);
    } else if (key === "maximum" && merged.kind === "number") {
      merged.maximum = Math.min(Number(value), merged.maximum ?? Number.POSITIVE_INFINITY);
    } else Object.assign(merged, { [key]: value });
  }
  return merged;
}

function applyAnnotation(shape: Shape, tag: DocTag): Shape {
  switch (tag.name) {
    case "title":
      return { ...shape, title: tag.text };
    case "deprecated":
      return { ...shape, deprecated: true };
    case "default":
      return tag.text === "" ? shape : { ...shape, default: literalText(tag.text) };
    case "example":
      return tag.text === "" ? shape : { ...shape, examples: [...(shape.examples ?? []), literalText(tag.text)] };
    default:
      return shape;
  }
}

/** `@default 3` is a number, `@default London` a string. */
function literalText(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text.replace(/^(['"`])(.*)\1$/s, "$2");
  }
}

/** True where a JSON Schema validator can compile the pattern. */
export function validPattern(pattern: string, node: ts.Node, sink: DiagnosticSink): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch (error) {
    sink.report("TSK1019", node, `\`${pattern}\``, error instanceof Error ? error.message : String(error));
    return false;
  }
}

/**
 * A type that carries typia tags (`number & tags.Minimum<1>`), or a template literal: what typia's analysis makes of it.
 * Undefined where typia refuses it.
 */
export function typiaMetadata(type: ts.Type, checker: ts.TypeChecker): MetadataSchema | undefined {
  const result = MetadataFactory.analyze({
    checker,
    transformer: undefined,
    options: { escape: false, constant: true, absorb: true },
    components: new MetadataCollection(),
    type,
  });
  return result.success ? result.data : undefined;
}

/** Lays the constraints of typia's tags over the shape of the bare type. */
export function applyTypeTags(shape: Shape, metadata: MetadataSchema, node: ts.Node, sink: DiagnosticSink): Shape {
  const rows = [
    ...metadata.atomics,
    ...metadata.arrays,
    ...metadata.templates,
    ...metadata.constants.flatMap((c) => c.values),
  ]
    .flatMap((entry) => entry.tags ?? [])
    .flat();
  let result = shape;
  for (const tag of rows) result = mergeFragment(result, schemaOfTag(tag), node, sink);
  return result;
}

function article(kind: string): string {
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
