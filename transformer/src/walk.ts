/** What every part of the walk over a type shares: where it stands, how it refuses, and what it has open. */
import ts from "typescript";
import type { DiagnosticSink } from "./diagnostics.js";
import type { Definitions, Shape } from "./shape.js";

export interface TypeScope {
  readonly checker: ts.TypeChecker;
  readonly sink: DiagnosticSink;
  readonly definitions: Definitions;
  /** Input is what a model sends; output is what a function returns, where `toJSON` counts. */
  readonly direction: "input" | "output";
  /** What each type came to, so that none is walked twice, nor named twice when it is recursive. */
  readonly memo: Map<ts.Type, Shape>;
}

/** Where the walk stands. `label` names the value as the author would. */
export interface Place {
  readonly node: ts.Node;
  readonly label: string;
  /** A property: where its value is undefined, JSON leaves it out. */
  readonly omittable?: boolean;
  /** Declared by a library, where the author cannot mend it. */
  readonly foreign?: boolean;
}

/** Object types that are being walked, from the outside in, and the names of those that turned out recursive. */
export interface Walk extends TypeScope {
  readonly visit: (type: ts.Type, place: Place) => Shape | undefined;
  readonly open: Map<ts.Type, { name: string | undefined }>;
  /** Set at the first type that nests without end: every branch of it would say the same. */
  readonly stopped: { value: boolean };
}

/** Walks a composite type once; where it contains itself, the inner place becomes a ref and the shape a definition. */
export function recursive(type: ts.Type, place: Place, walk: Walk, build: () => Shape | undefined): Shape | undefined {
  if (walk.stopped.value) return undefined;
  const known = walk.memo.get(type);
  if (known !== undefined) return known;
  const open = walk.open.get(type);
  if (open !== undefined) {
    open.name ??= definitionName(type, walk);
    return { kind: "ref", name: open.name };
  }
  if (walk.open.size >= MAX_DEPTH) {
    walk.stopped.value = true;
    return refuse(
      walk,
      place,
      type,
      `it nests more than ${MAX_DEPTH} levels deep`,
      "Use a type that ends, or one that refers to itself by name.",
    );
  }
  const entry: { name: string | undefined } = { name: undefined };
  walk.open.set(type, entry);
  try {
    const shape = build();
    if (shape === undefined) return undefined;
    const result: Shape = entry.name === undefined ? shape : { kind: "ref", name: entry.name };
    if (entry.name !== undefined) walk.definitions.set(entry.name, shape);
    walk.memo.set(type, result);
    return result;
  } finally {
    walk.open.delete(type);
  }
}

/** A generic type that grows with each level (`Grow<T> = { next: Grow<T[]> }`) never comes back to itself. */
const MAX_DEPTH = 64;

/** True where a value may be left out. */
export function acceptsUndefined(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(acceptsUndefined);
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

export function refuse(walk: Walk, place: Place, type: ts.Type, why: string, way: string): undefined {
  const name = walk.checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  const shown = name.length > 80 ? `${name.slice(0, 77)}...` : name;
  return fail(walk, place, "TSK1001", `${place.label} of type \`${shown}\``, why, way);
}

export function fail(
  walk: Walk,
  place: Place,
  code: Parameters<DiagnosticSink["report"]>[0],
  ...details: string[]
): undefined {
  walk.sink.report(code, place.node, ...details);
  return undefined;
}

function definitionName(type: ts.Type, walk: Walk): string {
  const symbol = type.aliasSymbol ?? type.getSymbol();
  const stem =
    symbol === undefined || symbol.name.startsWith("__") || symbol.name === "Array" ? "Recursive" : symbol.name;
  const taken = new Set([...walk.definitions.keys(), ...[...walk.open.values()].map((entry) => entry.name)]);
  let name = stem;
  for (let n = 2; taken.has(name); n++) name = `${stem}${n}`;
  return name;
}
