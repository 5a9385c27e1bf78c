/** Checks that are too long to be printed into every predicate. */

/** Length in code points, as JSON Schema counts it. */
export function lengthWithin(text: string, min: number, max: number): boolean {
  const units = text.length;
  // A code point takes one or two code units, so most texts need no counting.
  if (units < min || units > max * 2) return false;
  if (units <= max && units >= min * 2) return true;
  let points = units;
  for (let i = 0; i < units - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        points--;
        i++;
      }
    }
  }
  return points >= min && points <= max;
}

export function isMultiple(value: number, step: number): boolean {
  return Number.isInteger(value / step);
}

/** No two items are equal as JSON. */
export function isUnique(items: readonly unknown[]): boolean {
  if (items.length < 2) return true;
  const scalars = new Set<unknown>();
  const composites = new Set<string>();
  for (const item of items) {
    const composite = typeof item === "object" && item !== null;
    const key = composite ? canonical(item) : item;
    const seen: Set<unknown> = composite ? composites : scalars;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** JSON text with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
