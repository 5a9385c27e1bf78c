/** What a change of a tool means to models and programs that know the old one. */
import type { MetaJson } from "@tsukumo/transformer/compiler";

/** From the worst. */
export const CHANGE_KINDS = ["breaking", "compatible", "description"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface Change {
  readonly kind: ChangeKind;
  readonly tool: string;
  /** `input.city`, `output[]`; empty where the tool itself changed. */
  readonly path: string;
  readonly message: string;
}

type Schema = { readonly [key: string]: unknown };

/** Values that were taken must still be taken; values that were given must not become others. */
type Direction = "input" | "output";

const DOCS = ["description", "title", "examples", "deprecated", "default"];
/** Limits, by the direction in which they let more through. */
const LOWER_LIMITS = ["minimum", "exclusiveMinimum", "minLength", "minItems"];
const UPPER_LIMITS = ["maximum", "exclusiveMaximum", "maxLength", "maxItems"];
const KNOWN = new Set([
  ...DOCS,
  ...LOWER_LIMITS,
  ...UPPER_LIMITS,
  "type",
  "enum",
  "properties",
  "required",
  "items",
  "additionalProperties",
]);

export function diffTools(before: readonly MetaJson[], after: readonly MetaJson[]): Change[] {
  const changes: Change[] = [];
  const old = new Map(before.map((meta) => [meta.name, meta]));
  const now = new Map(after.map((meta) => [meta.name, meta]));
  for (const name of old.keys())
    if (!now.has(name)) changes.push({ kind: "breaking", tool: name, path: "", message: "removed" });
  for (const meta of after) {
    const known = old.get(meta.name);
    if (known === undefined) changes.push({ kind: "compatible", tool: meta.name, path: "", message: "added" });
    else changes.push(...diffTool(known, meta));
  }
  return changes;
}

function diffTool(old: MetaJson, now: MetaJson): Change[] {
  const changes: Change[] = [];
  const add = (kind: ChangeKind, path: string, message: string): void => {
    changes.push({ kind, tool: now.name, path, message });
  };
  if (old.description !== now.description) add("description", "", "description changed");
  if (old.effect !== now.effect) add("breaking", "", `effect changed from ${old.effect} to ${now.effect}`);
  diffSchema(old.inputSchema, now.inputSchema, "input", { direction: "input", add });
  if (old.outputSchema === undefined && now.outputSchema !== undefined) add("compatible", "output", "schema added");
  else if (old.outputSchema !== undefined && now.outputSchema === undefined)
    add("breaking", "output", "schema removed");
  else if (old.outputSchema !== undefined && now.outputSchema !== undefined) {
    diffSchema(old.outputSchema, now.outputSchema, "output", { direction: "output", add });
  }
  return changes;
}

interface Scope {
  readonly direction: Direction;
  readonly add: (kind: ChangeKind, path: string, message: string) => void;
}

function diffSchema(old: Schema, now: Schema, path: string, scope: Scope): void {
  if (same(old, now)) return;
  const { add } = scope;
  for (const key of DOCS) {
    if (same(old[key], now[key])) continue;
    add(key === "default" ? "compatible" : "description", path, `${key} changed`);
  }
  if (!same(old.type, now.type)) {
    const wider = old.type === "integer" && now.type === "number";
    const narrower = old.type === "number" && now.type === "integer";
    add(
      effect(wider ? "wider" : narrower ? "narrower" : "other", scope),
      path,
      `type changed from ${words(old)} to ${words(now)}`,
    );
    return;
  }
  diffEnum(old, now, path, scope);
  for (const key of [...LOWER_LIMITS, ...UPPER_LIMITS]) diffLimit(key, old[key], now[key], path, scope);
  diffProperties(old, now, path, scope);
  const items = [old.items, now.items] as const;
  if (isSchema(items[0]) && isSchema(items[1])) diffSchema(items[0], items[1], `${path}[]`, scope);
  else if (!same(...items)) add("breaking", path, "elements changed");
  diffAdditional(old.additionalProperties, now.additionalProperties, path, scope);
  // Unions, patterns, references: told as breaking, since nobody can be sure that they are not.
  const other = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (key) => !KNOWN.has(key) && !same(old[key], now[key]),
  );
  for (const key of other) add("breaking", path, `${key} changed`);
}

function diffEnum(old: Schema, now: Schema, path: string, scope: Scope): void {
  if (!Array.isArray(old.enum) || !Array.isArray(now.enum)) {
    if (!same(old.enum, now.enum))
      scope.add(
        effect(now.enum === undefined ? "wider" : "narrower", scope),
        path,
        now.enum === undefined ? "any value is allowed now" : "only some values are allowed now",
      );
    return;
  }
  const before: unknown[] = old.enum;
  const after: unknown[] = now.enum;
  for (const value of before)
    if (!after.includes(value)) scope.add(effect("narrower", scope), path, `value ${JSON.stringify(value)} removed`);
  for (const value of after)
    if (!before.includes(value)) scope.add(effect("wider", scope), path, `value ${JSON.stringify(value)} added`);
}

function diffLimit(key: string, old: unknown, now: unknown, path: string, scope: Scope): void {
  if (old === now) return;
  const lower = LOWER_LIMITS.includes(key);
  const before = typeof old === "number" ? old : lower ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const after = typeof now === "number" ? now : lower ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const wider = lower ? after < before : after > before;
  scope.add(
    effect(wider ? "wider" : "narrower", scope),
    path,
    `${key} changed from ${old ?? "none"} to ${now ?? "none"}`,
  );
}

function diffProperties(old: Schema, now: Schema, path: string, scope: Scope): void {
  const before = isSchema(old.properties) ? old.properties : {};
  const after = isSchema(now.properties) ? now.properties : {};
  const wasRequired = new Set(Array.isArray(old.required) ? old.required : []);
  const isRequired = new Set(Array.isArray(now.required) ? now.required : []);
  for (const [name, inner] of Object.entries(before)) {
    const next = after[name];
    const at = `${path}.${name}`;
    if (!isSchema(inner) || !isSchema(next)) {
      scope.add("breaking", at, "removed");
      continue;
    }
    if (wasRequired.has(name) && !isRequired.has(name)) scope.add(effect("wider", scope), at, "is optional now");
    if (!wasRequired.has(name) && isRequired.has(name)) scope.add(effect("narrower", scope), at, "is required now");
    diffSchema(inner, next, at, scope);
  }
  for (const name of Object.keys(after)) {
    if (Object.hasOwn(before, name)) continue;
    const must = isRequired.has(name);
    const kind = scope.direction === "input" && must ? "breaking" : "compatible";
    scope.add(kind, `${path}.${name}`, must ? "added, required" : "added, optional");
  }
}

function diffAdditional(old: unknown, now: unknown, path: string, scope: Scope): void {
  if (same(old, now)) return;
  if (isSchema(old) && isSchema(now)) return diffSchema(old, now, `${path}[]`, scope);
  scope.add(
    effect(old === false ? "wider" : "narrower", scope),
    path,
    old === false ? "other keys are allowed now" : "other keys are refused now",
  );
}

function effect(change: "wider" | "narrower" | "other", { direction }: Scope): ChangeKind {
  if (change === "other") return "breaking";
  return (change === "wider") === (direction === "input") ? "compatible" : "breaking";
}

function words({ type, enum: values }: Schema): string {
  if (typeof type === "string") return type;
  return Array.isArray(values) ? "values" : "another form";
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
