/** Whether a TypeScript type gives what a response template declares. */
import type { Fields, TemplateType } from "@tsukumo/template";
import { typeText } from "@tsukumo/template";
import ts from "typescript";

/** Why a type is not what the template needs, with the path; undefined where it is. */
export function typeMisfit(
  type: ts.Type,
  wanted: TemplateType,
  path: string,
  checker: ts.TypeChecker,
  node: ts.Node,
): string | undefined {
  const wrong = `\`${path}\` is ${checker.typeToString(type)}, and the template declares ${typeText(wanted)}`;
  const visit = (inner: ts.Type, innerWanted: TemplateType, innerPath: string): string | undefined =>
    typeMisfit(inner, innerWanted, innerPath, checker, node);
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return wrong;
  const present = checker.getNonNullableType(type);
  if (wanted.kind === "option") return visit(present, wanted.inner, path);
  if (mayBeAbsent(type)) return `${wrong}, which is always there. Declare it as option(${typeText(wanted)})`;
  switch (wanted.kind) {
    case "str":
      if (!every(present, isText)) return wrong;
      return isUntrusted(present, checker) && wanted.untrusted !== true
        ? `\`${path}\` comes from outside. Declare it as \`untrusted str\``
        : undefined;
    case "bool":
      return every(present, (member) => (member.flags & ts.TypeFlags.BooleanLike) !== 0) ? undefined : wrong;
    case "int":
    case "float":
      return every(present, (member) => carriers(member).some(({ flags }) => flags & ts.TypeFlags.NumberLike))
        ? undefined
        : wrong;
    case "list": {
      const isList = (member: ts.Type): boolean => checker.isArrayType(member) || checker.isTupleType(member);
      const item = checker.getIndexTypeOfType(present, ts.IndexKind.Number);
      return item === undefined || !every(present, isList) ? wrong : visit(item, wanted.item, `${path}[]`);
    }
    case "struct":
      return members(present)
        .map((member) => fieldsMisfit(member, wanted.fields, path, checker, node))
        .find((found) => found !== undefined);
    case "enum":
      return members(present)
        .map((member) => variantMisfit(member, wanted.variants, path, checker, node) ?? undefined)
        .find((found) => found !== undefined);
  }
}

/** The same for every field; `path` is empty for the parameters of the template. */
export function fieldsMisfit(
  type: ts.Type,
  fields: Fields,
  path: string,
  checker: ts.TypeChecker,
  node: ts.Node,
): string | undefined {
  for (const [name, wanted] of fields) {
    const property = checker.getPropertyOfType(type, name);
    const inner = path === "" ? name : `${path}.${name}`;
    if (property === undefined || !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)))
      return `there is no \`${inner}\` in ${checker.typeToString(type)}`;
    const found = typeMisfit(checker.getTypeOfSymbolAtLocation(property, node), wanted, inner, checker, node);
    if (found !== undefined) return found;
  }
  return undefined;
}

function variantMisfit(
  type: ts.Type,
  variants: ReadonlyMap<string, Fields>,
  path: string,
  checker: ts.TypeChecker,
  node: ts.Node,
): string | undefined {
  const names = [...variants.keys()].map((name) => `\`${name}\``).join(", ");
  const fits = (value: ts.Type, fields: (variant: Fields) => string | undefined): string | undefined => {
    const variant = value.isStringLiteral() ? variants.get(value.value) : undefined;
    return variant === undefined
      ? `\`${path}\` can be ${checker.typeToString(value)}, and the template knows ${names}`
      : fields(variant);
  };
  if (!(type.flags & ts.TypeFlags.Object))
    return fits(type, (variant) =>
      variant.size === 0 ? undefined : `\`${path}\` is text, and the template declares fields of that variant`,
    );
  const kind = checker.getPropertyOfType(type, "kind");
  if (kind === undefined) return `there is no \`${path}.kind\` in ${checker.typeToString(type)}`;
  return members(checker.getTypeOfSymbolAtLocation(kind, node))
    .map((value) => fits(value, (variant) => fieldsMisfit(type, variant, path, checker, node)))
    .find((found) => found !== undefined);
}

/** Whether untrusted text is anywhere in the type. */
export function holdsUntrusted(
  type: ts.Type,
  checker: ts.TypeChecker,
  node: ts.Node,
  seen: Set<ts.Type> = new Set(),
): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  const inner = (next: ts.Type): boolean => holdsUntrusted(next, checker, node, seen);
  if (isUntrusted(type, checker)) return true;
  if (type.isUnion()) return type.types.some(inner);
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) || isLibrary(type)) {
    const item = checker.isArrayType(type) ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
    return item !== undefined && inner(item);
  }
  const indexed = checker.getIndexInfosOfType(type).map((info) => info.type);
  if (checker.isTupleType(type) || checker.isArrayType(type)) return indexed.some(inner);
  const properties = checker.getPropertiesOfType(type).map((p) => checker.getTypeOfSymbolAtLocation(p, node));
  return [...properties, ...indexed].some(inner);
}

/** Built-in classes hold nothing of the author's. */
function isLibrary(type: ts.Type): boolean {
  const declaration = type.getSymbol()?.declarations?.[0];
  return declaration !== undefined && /(?:^|\/)lib\.[\w.]+\.d\.ts$/.test(declaration.getSourceFile().fileName);
}

function isUntrusted(type: ts.Type, checker: ts.TypeChecker): boolean {
  return members(type).some(
    (member) => member.isIntersection() && checker.getPropertyOfType(member, "__untrusted") !== undefined,
  );
}

function mayBeAbsent(type: ts.Type): boolean {
  return members(type).some(
    (member) => member.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void),
  );
}

function isText(type: ts.Type): boolean {
  return carriers(type).some(({ flags }) => flags & ts.TypeFlags.StringLike);
}

/** Brands and tags are intersections with what carries the value. */
function carriers(type: ts.Type): readonly ts.Type[] {
  return type.isIntersection() ? type.types : [type];
}

function members(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function every(type: ts.Type, test: (member: ts.Type) => boolean): boolean {
  return members(type).every(test);
}
