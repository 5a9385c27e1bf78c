/** The types that a template declares. */

export type TemplateType =
  | { readonly kind: "bool" }
  | { readonly kind: "int" }
  | { readonly kind: "float" }
  /** Text; untrusted text cannot be printed as it is. */
  | { readonly kind: "str"; readonly untrusted?: boolean }
  | { readonly kind: "list"; readonly item: TemplateType }
  | { readonly kind: "struct"; readonly fields: Fields }
  | { readonly kind: "enum"; readonly variants: ReadonlyMap<string, Fields> }
  | { readonly kind: "option"; readonly inner: TemplateType };

export type Fields = ReadonlyMap<string, TemplateType>;

export const STR: TemplateType = { kind: "str" };
export const UNTRUSTED: TemplateType = { kind: "str", untrusted: true };
export const BOOL: TemplateType = { kind: "bool" };
export const INT: TemplateType = { kind: "int" };
export const FLOAT: TemplateType = { kind: "float" };

/** The type as an author writes it. */
export function typeText(type: TemplateType): string {
  switch (type.kind) {
    case "bool":
    case "int":
    case "float":
      return type.kind;
    case "str":
      return type.untrusted === true ? "untrusted str" : "str";
    case "list":
      return `list(${typeText(type.item)})`;
    case "struct":
      return `struct(${fieldsText(type.fields)})`;
    case "enum":
      return `enum(${[...type.variants].map(([name, fields]) => (fields.size === 0 ? name : `${name}(${fieldsText(fields)})`)).join(", ")})`;
    case "option":
      return `option(${typeText(type.inner)})`;
  }
}

function fieldsText(fields: Fields): string {
  return [...fields].map(([name, type]) => `${name}=${typeText(type)}`).join(", ");
}

/** Whether every value of `from` is one of `to`. Text is untrusted text, but not the other way round. */
export function isAssignable(from: TemplateType, to: TemplateType): boolean {
  switch (to.kind) {
    case "bool":
    case "int":
      return from.kind === to.kind;
    case "float":
      return from.kind === "float" || from.kind === "int";
    case "str":
      return from.kind === "str" && (to.untrusted === true || from.untrusted !== true);
    case "list":
      return from.kind === "list" && isAssignable(from.item, to.item);
    case "option":
      return isAssignable(from.kind === "option" ? from.inner : from, to.inner);
    case "struct":
      return from.kind === "struct" && fieldsFit(from.fields, to.fields);
    case "enum":
      return (
        from.kind === "enum" &&
        [...from.variants].every(([name, fields]) => {
          const target = to.variants.get(name);
          return target !== undefined && fieldsFit(fields, target);
        })
      );
  }
}

function fieldsFit(from: Fields, to: Fields): boolean {
  return [...to].every(([name, type]) => {
    const own = from.get(name);
    return own === undefined ? type.kind === "option" : isAssignable(own, type);
  });
}

/** Whether untrusted text is anywhere inside. */
export function holdsUntrusted(type: TemplateType): boolean {
  switch (type.kind) {
    case "bool":
    case "int":
    case "float":
      return false;
    case "str":
      return type.untrusted === true;
    case "list":
      return holdsUntrusted(type.item);
    case "option":
      return holdsUntrusted(type.inner);
    case "struct":
      return [...type.fields.values()].some(holdsUntrusted);
    case "enum":
      return [...type.variants.values()].some((fields) => [...fields.values()].some(holdsUntrusted));
  }
}
