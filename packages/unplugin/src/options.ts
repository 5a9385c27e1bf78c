import type { CompilerOptions } from "@tsukumo/transformer/compiler";

/** The compiler's own options, and where the project's settings are. */
export interface UnpluginOptions extends CompilerOptions {
  /** Default: `tsconfig.json` in the working directory or above it. */
  readonly tsconfig?: string;
}
