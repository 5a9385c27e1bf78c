/** A parsed template. */
import type { TemplateSource } from "./error.js";
import type { TemplateType } from "./types.js";

export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue };

export interface Declaration {
  readonly name: string;
  readonly type: TemplateType;
  /** Undefined where there is no `:=`; null is `None`. */
  readonly fallback?: TemplateValue;
  /** Where it stands in the source. */
  readonly at: number;
}

/** What the frontmatter says. */
export interface TemplateHead {
  readonly name?: string;
  readonly description?: string;
  readonly types: readonly Declaration[];
  readonly consts: readonly Declaration[];
  readonly env: readonly Declaration[];
  readonly params: readonly Declaration[];
  readonly allowUnused: boolean;
  readonly usedTypes: ReadonlySet<string>;
}

export interface Template extends TemplateHead {
  readonly source: TemplateSource;
  readonly body: readonly Node[];
}

export type Node =
  | { readonly kind: "text"; readonly text: string; readonly at: number }
  | { readonly kind: "print"; readonly value: Expression; readonly at: number }
  /** Its names count as used. */
  | { readonly kind: "comment"; readonly uses: readonly Expression[]; readonly at: number }
  | {
      readonly kind: "if";
      readonly branches: readonly Branch[];
      readonly otherwise: readonly Node[];
      readonly at: number;
    }
  | {
      readonly kind: "for";
      readonly variable: string;
      readonly list: Expression;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
      readonly at: number;
    }
  | {
      readonly kind: "match";
      readonly subject: Expression;
      readonly cases: readonly Case[];
      readonly otherwise?: readonly Node[];
      readonly at: number;
    }
  | {
      readonly kind: "include";
      readonly path: string;
      readonly values: readonly { readonly name: string; readonly value: Expression }[];
      readonly at: number;
    }
  | { readonly kind: "panic"; readonly message: Expression; readonly at: number };

export interface Branch {
  readonly condition: Expression;
  readonly body: readonly Node[];
}

export interface Case {
  /** Names of variants, or literals. */
  readonly patterns: readonly Pattern[];
  readonly guard?: Expression;
  readonly body: readonly Node[];
  readonly at: number;
}

export type Pattern =
  | { readonly kind: "variant"; readonly name: string }
  | { readonly kind: "value"; readonly value: string | number | boolean };

export type Operator = "==" | "!=" | "<" | ">" | "<=" | ">=" | "in" | "&&" | "||";

export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean; readonly at: number }
  /** A string with `{{ }}` inside. */
  | { readonly kind: "string"; readonly parts: readonly (string | Expression)[]; readonly at: number }
  | { readonly kind: "path"; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[]; readonly at: number }
  | {
      readonly kind: "filter";
      readonly name: string;
      readonly input: Expression;
      readonly args: readonly (string | number)[];
      readonly at: number;
    }
  | { readonly kind: "not"; readonly operand: Expression; readonly at: number }
  | {
      readonly kind: "binary";
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    };
