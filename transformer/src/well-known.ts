/** Built-in classes: some have a form in JSON, the others cannot be sent. */
import type ts from "typescript";
import type { Shape } from "./shape.js";
import { type Place, refuse, type Walk } from "./walk.js";

/** Built-in classes: some have a string form, the others cannot be sent. */
export function wellKnown(type: ts.Type, place: Place, walk: Walk): Shape | "refused" | undefined {
  const symbol = type.getSymbol();
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined) return undefined;
  if (isBuiltIn(declaration)) {
    if (symbol.name === "Date") return revivable({ kind: "string", format: "date-time" }, "Date", walk);
    if (symbol.name === "URL") return revivable({ kind: "string", format: "uri" }, "URL", walk);
    if (symbol.name === "String") return { kind: "string" };
    if (symbol.name === "Number") return { kind: "number" };
    if (symbol.name === "Boolean") return { kind: "boolean" };
    const advice = BUILT_IN_ADVICE[symbol.name];
    if (advice !== undefined) {
      refuse(walk, place, type, `JSON has no ${symbol.name}`, advice);
      return "refused";
    }
  }
  if (walk.direction === "output") {
    const toJson = walk.checker.getPropertyOfType(type, "toJSON");
    const signature = toJson && walk.checker.getTypeOfSymbolAtLocation(toJson, place.node).getCallSignatures()[0];
    if (signature !== undefined) return walk.visit(signature.getReturnType(), place) ?? "refused";
  }
  return undefined;
}

/** Declared by TypeScript's own libraries or by Node's types, not by a package that happens to use the same name. */
function isBuiltIn(declaration: ts.Declaration): boolean {
  return /(?:^|\/)(?:lib\.[\w.]+\.d\.ts$|@types\/node\/)/.test(declaration.getSourceFile().fileName);
}

const BUILT_IN_ADVICE: Readonly<Record<string, string>> = {
  Map: "Use `Record<string, …>` or an array of pairs.",
  Set: "Use an array (with `@uniqueItems`).",
  WeakMap: "Use `Record<string, …>`.",
  WeakSet: "Use an array.",
  Promise: "Take the value itself.",
  Generator: "Use an array.",
  AsyncGenerator: "Use an array.",
  IterableIterator: "Use an array.",
  AsyncIterable: "Use an array.",
  Iterator: "Use an array.",
  RegExp: "Use a `string` with the pattern.",
  Error: "Use a `string` with the message.",
  ArrayBuffer: "Use a `string` in base64.",
  Uint8Array: "Use a `string` in base64.",
  Buffer: "Use a `string` in base64.",
  Blob: "Use a `string` in base64.",
  File: "Use a `string` in base64.",
  ReadableStream: "Use a `string`.",
  AbortSignal: "Take a `ToolContext`: it carries the signal and is not part of the schema.",
};

function revivable(shape: Shape & { kind: "string" }, revive: "Date" | "URL", walk: Walk): Shape {
  return walk.direction === "input" ? { ...shape, revive } : shape;
}
