/** The names that can be used at a place of a template. */
import type { TemplateValue } from "./ast.js";
import type { TemplateType } from "./types.js";

export interface Variable {
  readonly type: TemplateType;
  /** Of consts and env: known when the template is compiled. */
  readonly value?: TemplateValue;
  /** Of the variable of a loop. */
  readonly loop?: boolean;
}

export class Scope {
  readonly #variables: ReadonlyMap<string, Variable>;
  /** Types that a test has made narrower, by dotted path. */
  readonly #narrowed: ReadonlyMap<string, TemplateType>;
  readonly used: Set<string>;

  constructor(
    variables: ReadonlyMap<string, Variable>,
    narrowed: ReadonlyMap<string, TemplateType> = new Map(),
    used = new Set<string>(),
  ) {
    this.#variables = variables;
    this.#narrowed = narrowed;
    this.used = used;
  }

  find(name: string): Variable | undefined {
    return this.#variables.get(name);
  }

  narrowedAt(path: string): TemplateType | undefined {
    return this.#narrowed.get(path);
  }

  withVariable(name: string, variable: Variable): Scope {
    return new Scope(new Map([...this.#variables, [name, variable]]), this.#narrowed, this.used);
  }

  withNarrowed(entries: Iterable<readonly [string, TemplateType]>): Scope {
    return new Scope(this.#variables, new Map([...this.#narrowed, ...entries]), this.used);
  }
}
