/** Pieces of JavaScript text that every printer needs. */

/** How code is printed: for the transformer as JavaScript, for `gen` as TypeScript that compiles under `strict`. */
export interface CodeStyle {
  readonly typescript: boolean;
}

/** The name under which emitted code knows `@tsukumo/tool/runtime`. */
export const RUNTIME = "__tsukumo";
export const RUNTIME_MODULE = "@tsukumo/tool/runtime";
/** The same for `@tsukumo/template/filters`, in files with response templates. */
export const FILTERS = "__tsukumoTemplate";
export const FILTERS_MODULE = "@tsukumo/template/filters";

/** The runtime's function that puts a blueprint on a function, by what the function is. */
export const ATTACH = { tool: "attach", prompt: "attachPrompt", resource: "attachResource" } as const;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** `v.name`, or `v["na-me"]`. */
export function access(object: string, key: string): string {
  return IDENTIFIER.test(key) ? `${object}.${key}` : `${object}[${quote(key)}]`;
}

export function propertyKey(key: string): string {
  // As a computed key, `__proto__` is an ordinary property.
  if (key === "__proto__") return '["__proto__"]';
  return IDENTIFIER.test(key) ? key : quote(key);
}

/** A string literal; JSON's escapes are JavaScript's. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => (c === "\u2028" ? "\\u2028" : "\\u2029"));
}

/** The same in single quotes, which leaves JSON text readable. */
export function singleQuoted(text: string): string {
  const escaped = text.replace(/[\\'\u2028\u2029]/g, (c) =>
    c === "\u2028" ? "\\u2028" : c === "\u2029" ? "\\u2029" : `\\${c}`,
  );
  return `'${escaped}'`;
}

/** JSON as a JavaScript literal, on one line. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => `${propertyKey(key)}: ${literal(inner)}`);
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  return typeof value === "string" ? quote(value) : String(value);
}

/** A regular expression literal with flag u. */
export function regexp(pattern: string): string {
  return String(new RegExp(pattern, "u"));
}

/** Names that every object inherits: `{}.toString` is not undefined. */
export function isInherited(key: string): boolean {
  return key in Object.prototype;
}
