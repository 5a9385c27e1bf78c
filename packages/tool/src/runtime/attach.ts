/** Definitions travel on the function or class that they belong to, so that they are found wherever it is imported. */
import type { ToolDefinition } from "../definition.js";
import { definition, type ToolBlueprint } from "./blueprint.js";

// Registered symbols are the same in every copy of this package that a program may load.
const DEFINITION = Symbol.for("tsukumo.definition");
const METHODS = Symbol.for("tsukumo.methods");

export type MethodBlueprints = readonly (readonly [name: string, blueprint: ToolBlueprint])[];

/** Called by emitted code after a marked function. Gives the definition. */
export function attach(target: object, blueprint: ToolBlueprint): ToolDefinition {
  const made = definition(blueprint);
  Object.defineProperty(target, DEFINITION, { value: made, configurable: true });
  return made;
}

/** Called by emitted code after a class with marked methods. */
export function attachMethods(target: { readonly prototype: object }, methods: MethodBlueprints): void {
  Object.defineProperty(target.prototype, METHODS, { value: methods, configurable: true });
}

/** The definition on a function; undefined where none was attached. */
export function attachedDefinition(target: unknown): ToolDefinition | undefined {
  if (typeof target !== "function" || !Object.hasOwn(target, DEFINITION)) return undefined;
  const found: unknown = Reflect.get(target, DEFINITION);
  return isDefinition(found) ? found : undefined;
}

/** The definitions of an instance's marked methods, those of its base classes first; an override replaces its original. */
export function attachedMethods(instance: object): ToolDefinition[] {
  const chain: object[] = [];
  for (let level: object | null = instance; level !== null; level = Object.getPrototypeOf(level)) chain.unshift(level);
  const found = new Map<string, ToolBlueprint>();
  for (const level of chain) {
    if (!Object.hasOwn(level, METHODS)) continue;
    const methods: unknown = Reflect.get(level, METHODS);
    if (!Array.isArray(methods)) continue;
    for (const [name, blueprint] of methods) found.set(name, blueprint);
  }
  return [...found.values()].map((blueprint) => definition(blueprint, instance));
}

function isDefinition(value: unknown): value is ToolDefinition {
  return typeof value === "function";
}
