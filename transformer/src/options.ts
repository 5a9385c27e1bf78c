import type { Dialect } from "@tsukumo/tool/dialects";

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
