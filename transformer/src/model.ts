/** What the compiler knows of one tool; every printer starts here. */
import type { CheckedTemplate } from "@tsukumo/template";
import type ts from "typescript";
import type { Definitions, Shape } from "./shape.js";

export type ToolEffect = "read_only" | "mutating" | "destructive";

/** What a marked function is for: a tool for models, or a prompt or resource for MCP clients. */
export type Role = "tool" | "prompt" | "resource";

/** How an output is made safe; the same words as in ToolMeta. */
export type Sanitize = "none" | "tokens" | "quarantine";

export interface ToolModel {
  readonly role: Role;
  /** The name that the model sees. */
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** Of a resource: its URI, with the parameters as `{variables}`. */
  readonly uri?: string;
  /** Of a resource: what it holds. */
  readonly mimeType?: string;
  readonly target: ToolTarget;
  /** How the arguments object becomes the function's arguments, in their order. */
  readonly parameters: readonly ParameterModel[];
  /** The arguments object. */
  readonly input: Shape;
  readonly output?: Shape;
  /** The recursive types of input and output. */
  readonly definitions: Definitions;
  /** What is made of the returned value for the model; JSON without it. */
  readonly response?: CheckedTemplate;
  readonly sanitize?: Sanitize;
  /** Arguments are taken as they are; nothing is repaired. */
  readonly strictArguments?: boolean;
  /** The declaration, for messages. */
  readonly node: ts.Node;
}

export type ToolTarget =
  /** A function that is handed over at run time, as the call's `self`. */
  | { readonly kind: "value"; readonly functionName: string }
  | { readonly kind: "function"; readonly functionName: string; readonly exportName?: string }
  | {
      readonly kind: "method";
      readonly className: string;
      readonly methodName: string;
      readonly exportName?: string;
      readonly generic: boolean;
      readonly static: boolean;
    };

export type ParameterModel =
  /** One property of the arguments object. */
  | { readonly kind: "property"; readonly name: string; readonly index: number; readonly optional: boolean }
  /** The arguments object itself. */
  | { readonly kind: "object"; readonly index: number }
  /** The last parameter, given as an array property. */
  | { readonly kind: "rest"; readonly name: string; readonly index: number }
  /** Injected, not in the schema. */
  | { readonly kind: "context"; readonly index: number };

/** `get_user` and `getUser` become `GetUser`: the stem of the generated names. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9$]+/)
    .filter((part) => part !== "")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("")
    .replace(/^(?=\d)/, "_");
}
