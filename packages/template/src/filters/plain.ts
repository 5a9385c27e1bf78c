/** Filters that shape text and numbers. */
import { items, number, string, text } from "./text.js";

export function upper(value: unknown): string {
  return string(value, "upper").toUpperCase();
}

export function lower(value: unknown): string {
  return string(value, "lower").toLowerCase();
}

export function trim(value: unknown): string {
  return string(value, "trim").trim();
}

/** With so many digits after the point. */
export function fixed(value: unknown, digits: number): string {
  const rounded = number(value, "fixed");
  // From 1e21 on, `toFixed` writes an exponent.
  const written = Math.abs(rounded) < 1e21 ? rounded.toFixed(digits) : withZeros(text(rounded), digits);
  return /^-[0.]*$/.test(written) ? written.slice(1) : written;
}

function withZeros(whole: string, digits: number): string {
  return digits === 0 ? whole : `${whole}.${"0".repeat(digits)}`;
}

export function join(value: unknown, separator: string): string {
  return items(value).map(text).join(separator);
}

/** The first items of a list, or the first characters (code points) of a text. */
export function limit(value: unknown, count: number): string | readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, count);
  return firstCharacters(string(value, "limit"), count);
}

export function add(value: unknown, amount: number): number {
  return number(value, "add") + amount;
}

export function sub(value: unknown, amount: number): number {
  return number(value, "sub") - amount;
}

/** At most so many characters (code points), the marker included; the marker is never cut. */
export function truncate(value: unknown, count: number, marker = "…"): string {
  const whole = string(value, "truncate");
  if (firstCharacters(whole, count).length === whole.length) return whole;
  return firstCharacters(whole, Math.max(0, count - [...marker].length)) + marker;
}

function firstCharacters(value: string, count: number): string {
  let end = 0;
  for (let taken = 0; taken < count && end < value.length; taken++)
    end += (value.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return value.slice(0, end);
}
