/** What authors write: marks on functions and methods, and the two calls that turn them into definitions. */
import type { ToolDefinition } from "./definition.js";
import type { ToolEffect } from "./effect.js";
import type { PromptDefinition } from "./prompt.js";
import type { ResourceDefinition } from "./resource.js";
import { attachedDefinition, attachedMethods, attachedPrompt, attachedResource } from "./runtime/attach.js";
import type { OutputSanitization } from "./sanitize/output.js";

/** Options of `@tool({ … })`; literals, since they are read when the program is built. */
export interface ToolMarkerOptions {
  readonly name?: string;
  readonly description?: string;
  readonly effect?: ToolEffect;
  /** The same as `effect: "read_only"`. */
  readonly idempotent?: boolean;
  /** Descriptions of parameters, by name, and the values of a description template's `params`. */
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** The path of a description template, as seen from the source file; instead of `description`. */
  readonly descriptionFile?: string;
  /** A response template: what the model reads of the returned object. */
  readonly response?: string;
  /** The path of a response template, as seen from the source file; instead of `response`. */
  readonly responseFile?: string;
  /** The values of the templates' `env`. */
  readonly env?: Readonly<Record<string, string | number | boolean>>;
  /** How the output is made safe; `tokens` unless given. */
  readonly sanitize?: OutputSanitization;
}

/**
 * Text from outside, in a return type: the tool's output is always sanitised then, and a response template must put it
 * through a filter. Any string can be returned as one.
 */
export type Untrusted<T extends string = string> = T & { readonly __untrusted?: true };

type MethodDecorator = (
  target: object,
  context: ClassMethodDecoratorContext | string | symbol,
  descriptor?: PropertyDescriptor,
) => void;

export interface ToolMarker {
  (options: ToolMarkerOptions): MethodDecorator;
  (target: object, context: ClassMethodDecoratorContext | string | symbol, descriptor?: PropertyDescriptor): void;
  /** How the compiler knows the marker; never present. */
  readonly __marker?: "tool";
}

export interface ToolRegistryMarker {
  (target: object, context?: ClassDecoratorContext): void;
  readonly __marker?: "toolRegistry";
}

export interface ToolDefinitionCall {
  /** The definition of one function. @throws {NotTransformedError} where the build step is missing */
  (tool: (...args: never[]) => unknown): ToolDefinition;
  readonly __marker?: "toolDefinition";
}

export interface ToolDefinitionsCall {
  /**
   * The definitions of every marked method of an instance, or of every marked function of a module
   * (`import * as weather`). @throws {NotTransformedError} where there is none
   */
  (source: object): ToolDefinition[];
  readonly __marker?: "toolDefinitions";
}

/** The build step that makes definitions has not run on the function's file. */
export class NotTransformedError extends Error {
  readonly code = "TSUKUMO_NOT_TRANSFORMED";

  constructor(what: string) {
    super(
      `${what} carries no tool definition: nothing of it is marked with @tool, or the build step that makes definitions has ` +
        "not run on its file. See that the function or method is marked, then do one of these:\n" +
        `  1. Build with tspc, with { "plugins": [{ "transform": "@tsukumo/transformer" }] } in tsconfig.json.\n` +
        "  2. Run `tsukumo gen <dir>` and import the module that it writes.\n" +
        "  3. Add the bundler plugin @tsukumo/unplugin.",
    );
    this.name = "NotTransformedError";
  }
}

function ignore(): void {}

function mark(options: ToolMarkerOptions): MethodDecorator;
function mark(
  target: object,
  context: ClassMethodDecoratorContext | string | symbol,
  descriptor?: PropertyDescriptor,
): void;
function mark(_: object, context?: unknown): MethodDecorator | undefined {
  // What a decorator returns takes the method's place, so the bare form returns nothing.
  return context === undefined ? ignore : undefined;
}

/** Marks a method as a tool: `@tool` or `@tool({ … })`. The compiler reads and removes it; left in, it does nothing. */
export const tool: ToolMarker = mark;

/** Marks a class whose methods are tools. */
export const toolRegistry: ToolRegistryMarker = ignore;

export const toolDefinition: ToolDefinitionCall = (tool) => {
  return required(attachedDefinition(tool), tool);
};

export const toolDefinitions: ToolDefinitionsCall = (source) => {
  // A function that is exported under two names is one tool.
  const found = new Set(attachedMethods(source));
  for (const value of Object.values(source)) {
    const own = attachedDefinition(value);
    if (own !== undefined) found.add(own);
  }
  if (found.size > 0) return [...found];
  throw new NotTransformedError(
    `${source.constructor === undefined ? "The module" : `The ${source.constructor.name}`} that was passed`,
  );
};

/** The definition of one function that is marked with `@prompt`. @throws {NotTransformedError} */
export function promptDefinition(prompt: (...args: never[]) => unknown): PromptDefinition {
  return required(attachedPrompt(prompt), prompt);
}

/** The definition of one function that is marked with `@resource uri`. @throws {NotTransformedError} */
export function resourceDefinition(resource: (...args: never[]) => unknown): ResourceDefinition {
  return required(attachedResource(resource), resource);
}

/** Every function of a module that is marked with `@prompt`; none is no error. */
export function promptDefinitions(module: object): PromptDefinition[] {
  return [...new Set(Object.values(module).flatMap((value) => attachedPrompt(value) ?? []))];
}

/** Every function of a module that is marked with `@resource`; none is no error. */
export function resourceDefinitions(module: object): ResourceDefinition[] {
  return [...new Set(Object.values(module).flatMap((value) => attachedResource(value) ?? []))];
}

function required<T>(found: T | undefined, target: (...args: never[]) => unknown): T {
  if (found !== undefined) return found;
  throw new NotTransformedError(`The function ${target.name === "" ? "that was passed" : target.name}`);
}
