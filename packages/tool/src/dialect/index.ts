/** The schemas that providers accept, from the canonical one. */
export { type Converted, type DialectProblem, toDialect } from "./convert.js";
export { DEFAULT_DIALECTS, DIALECTS, type Dialect, type DialectRules, isDialect } from "./rules.js";
