/** What the plugin and the command can be told; the same words in both. */
export interface CompilerOptions {
  /** Missing documentation is an error, not a warning. Default false. */
  readonly strict?: boolean;
  /** Repair what is unambiguous in a model's arguments (numbers as text, `null` for absent, …). Default true. */
  readonly lenient?: boolean;
  /** List `@throws` in the description. Default false. */
  readonly throws?: boolean;
}
