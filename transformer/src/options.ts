/** What the compiler can be told, and what is wrong with what it was told. */
import { DIALECTS, type Dialect } from "@tsukumo/tool/dialects";

/** What the plugin and the command can be told; the same words in both. */
export interface CompilerOptions {
  /** Missing documentation is an error, not a warning. Default false. */
  readonly strict?: boolean;
  /** Repair what is unambiguous in a model's arguments (numbers as text, `null` for absent, …). Default true. */
  readonly lenient?: boolean;
  /**
   * The dialects that every tool must fit, as errors; others are not looked at then, and `[]` looks at none. Without it,
   * what does not fit one of them all is a warning.
   */
  readonly dialects?: readonly Dialect[];
  /** List `@throws` in the description. Default false. */
  readonly throws?: boolean;
}

const isBoolean = (value: unknown): boolean => typeof value === "boolean";

const OPTIONS: { readonly [N in keyof Required<CompilerOptions>]: (value: unknown) => string | undefined } = {
  strict: (value) => (isBoolean(value) ? undefined : "is neither true nor false"),
  lenient: (value) => (isBoolean(value) ? undefined : "is neither true nor false"),
  throws: (value) => (isBoolean(value) ? undefined : "is neither true nor false"),
  dialects: (value) => {
    const known = Object.keys(DIALECTS).join(", ");
    if (!Array.isArray(value)) return `is no list. Known dialects are: ${known}`;
    const wrong = value.find((name) => typeof name !== "string" || !Object.hasOwn(DIALECTS, name));
    return wrong === undefined ? undefined : `names ${JSON.stringify(wrong)}. Known dialects are: ${known}`;
  },
};

export function isOption(name: string): name is keyof CompilerOptions {
  return Object.hasOwn(OPTIONS, name);
}

/**
 * What is wrong with options from a configuration file, a sentence each.
 * @param others names that belong to somebody else
 */
export function optionProblems(given: object, others: readonly string[]): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (others.includes(name) || value === undefined) return [];
    if (!isOption(name)) return [`There is no option ${name}. Known are: ${Object.keys(OPTIONS).join(", ")}.`];
    const problem = OPTIONS[name](value);
    return problem === undefined ? [] : [`The option ${name} ${problem}.`];
  });
}
