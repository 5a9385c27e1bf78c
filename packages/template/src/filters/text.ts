/** How scalars are written, and the helpers of control flow. */

/** Raised by `{% panic("…") %}`. */
export class TemplatePanic extends Error {
  readonly code = "TEMPLATE_PANIC";

  constructor(message: string) {
    super(message);
    this.name = "TemplatePanic";
  }
}

/** @throws {TemplatePanic} always; not `never`, which would make what follows unreachable to strict compilers. */
export function panic(message: string): void {
  throw new TemplatePanic(message);
}

/**
 * Text as it is, `true` and `false`, numbers without an exponent and without `-0`.
 * @throws {TypeError} for anything else, and for what is no finite number
 */
export function text(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "boolean":
      return String(value);
    case "number":
      return numberText(value);
    default:
      throw new TypeError(`A template cannot print ${value === null ? "null" : `a value of type ${typeof value}`}.`);
  }
}

/** A decimal number in digits. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`A template cannot print ${value}.`);
  const short = String(value);
  const found = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(short);
  if (found === null) return short;
  const [, sign = "", first = "", rest = "", power = "0"] = found;
  const shift = Number(power);
  const digits = first + rest;
  if (shift < 0) return `${sign}0.${"0".repeat(-shift - 1)}${digits}`;
  return sign + digits.padEnd(shift + 1, "0");
}

/** Whether `if` takes the branch: not for false, 0, empty text and empty lists. */
export function truthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** How many items a list has, or characters (code points) a text. @throws {TypeError} for anything else */
export function len(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  let count = 0;
  for (const _ of string(value, "len")) count++;
  return count;
}

/** Whether an option has a value. */
export function has(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The variant of an enum value: the text itself, or its field `kind`. @throws {TypeError} where it is none */
export function kind(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string")
    return value.kind;
  throw new TypeError("A template expected a variant: a text, or an object with `kind`.");
}

/** Whether a text holds another, or a list an item. */
export function contains(item: unknown, whole: unknown): boolean {
  return Array.isArray(whole) ? whole.includes(item) : string(whole, "in").includes(string(item, "in"));
}

/** The value, where it is text. @throws {TypeError} */
export function string(value: unknown, filter: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`The template filter ${filter} needs text, and got ${value === null ? "null" : typeof value}.`);
}

/** @throws {TypeError} where the value is no finite number */
export function number(value: unknown, filter: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new TypeError(`The template filter ${filter} needs a finite number.`);
}

/** @throws {TypeError} where the value is no list */
export function items(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError("A template expected a list.");
}
