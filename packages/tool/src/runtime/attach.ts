/** Definitions travel on the function or class that they belong to, so that they are found wherever it is imported. */
import type { ToolDefinition } from "../definition.js";
import type { PromptDefinition } from "../prompt.js";
import type { ResourceDefinition } from "../resource.js";
import { definition, type ToolBlueprint } from "./blueprint.js";
import { type PromptBlueprint, promptDefinition } from "./prompt.js";
import { type ResourceBlueprint, resourceDefinition } from "./resource.js";

// Registered symbols are the same in every copy of this package that a program may load.
const DEFINITION = Symbol.for("tsukumo.definition");
const METHODS = Symbol.for("tsukumo.methods");
const PROMPT = Symbol.for("tsukumo.prompt");
const RESOURCE = Symbol.for("tsukumo.resource");

export type MethodBlueprints = readonly (readonly [name: string, blueprint: ToolBlueprint])[];

/** Called by emitted code after a marked function. Gives the definition. */
export function attach(target: object, blueprint: ToolBlueprint): ToolDefinition {
  return put(target, DEFINITION, definition(blueprint));
}

/** Called by emitted code after a function that is marked as a prompt. */
export function attachPrompt(target: object, blueprint: PromptBlueprint): PromptDefinition {
  return put(target, PROMPT, promptDefinition(blueprint));
}

/** Called by emitted code after a function that is marked as a resource. */
export function attachResource(target: object, blueprint: ResourceBlueprint): ResourceDefinition {
  return put(target, RESOURCE, resourceDefinition(blueprint));
}

function put<T>(target: object, key: symbol, value: T): T {
  Object.defineProperty(target, key, { value, configurable: true });
  return value;
}

/** Called by emitted code after a class with marked methods. */
export function attachMethods(target: { readonly prototype: object }, methods: MethodBlueprints): void {
  Object.defineProperty(target.prototype, METHODS, { value: methods, configurable: true });
}

/** The definition on a function; undefined where none was attached. */
export function attachedDefinition(target: unknown): ToolDefinition | undefined {
  return attached<ToolDefinition>(target, DEFINITION);
}

export function attachedPrompt(target: unknown): PromptDefinition | undefined {
  return attached<PromptDefinition>(target, PROMPT);
}

export function attachedResource(target: unknown): ResourceDefinition | undefined {
  return attached<ResourceDefinition>(target, RESOURCE);
}

/** Only the attach functions above write under these keys, each its own type. */
function attached<T>(target: unknown, key: symbol): T | undefined {
  if (typeof target !== "function" || !Object.hasOwn(target, key)) return undefined;
  return Reflect.get(target, key) as T;
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
