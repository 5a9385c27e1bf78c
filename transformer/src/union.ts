/** Puts the members of a union together: literals into one enum, duplicates away, discriminators found. */
import type { ObjectShape, Shape } from "./shape.js";

/** The union of at least one shape. */
export function unionOf(members: readonly Shape[]): Shape {
  const flat = members.flatMap((member) => (member.kind === "union" && !hasDocs(member) ? member.members : [member]));
  const any = flat.find((member) => member.kind === "any");
  if (any !== undefined) return any;
  const merged = mergeLiterals(dropDuplicates(flat));
  const [first] = merged;
  if (first !== undefined && merged.length === 1) return first;
  const discriminator = discriminatorOf(merged);
  return discriminator === undefined
    ? { kind: "union", members: merged }
    : { kind: "union", members: merged, discriminator };
}

function hasDocs(shape: Shape): boolean {
  return shape.description !== undefined || shape.title !== undefined || shape.default !== undefined;
}

function dropDuplicates(members: readonly Shape[]): Shape[] {
  const seen = new Set<string>();
  return members.filter((member) => {
    const key = JSON.stringify(member);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Literals become one; `true | false` becomes boolean; null goes last. */
function mergeLiterals(members: readonly Shape[]): Shape[] {
  const values = new Set(members.flatMap((member) => (member.kind === "literal" ? member.values : [])));
  const rest = members.filter((member) => member.kind !== "literal" && member.kind !== "null");
  const nulls = members.filter((member) => member.kind === "null");
  const result: Shape[] = [];
  const both = values.has(true) && values.has(false);
  if (both || rest.some((member) => member.kind === "boolean")) {
    values.delete(true);
    values.delete(false);
    if (both && !rest.some((member) => member.kind === "boolean")) rest.push({ kind: "boolean" });
  }
  if (values.size > 0) result.push({ kind: "literal", values: [...values] });
  return [...result, ...rest, ...nulls];
}

/** A property that every object member requires, with literals that no two members share. */
function discriminatorOf(members: readonly Shape[]): string | undefined {
  const objects = members.filter((member): member is ObjectShape => member.kind === "object");
  const [first] = objects;
  if (first === undefined || objects.length < 2 || objects.length !== members.filter((m) => m.kind !== "null").length)
    return undefined;
  return first.properties.find((candidate) => tellsApart(candidate.name, objects))?.name;
}

function tellsApart(name: string, objects: readonly ObjectShape[]): boolean {
  const seen = new Set<string | number | boolean>();
  for (const object of objects) {
    const property = object.properties.find((other) => other.name === name);
    if (property === undefined || property.optional || property.value.kind !== "literal") return false;
    for (const value of property.value.values) {
      if (seen.has(value)) return false;
      seen.add(value);
    }
  }
  return true;
}
