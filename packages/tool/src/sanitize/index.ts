/** Outputs from outside that cannot pass for a model's own turns. */
export { effectiveSanitization, type OutputSanitization, sanitizeError, sanitizeOutput } from "./output.js";
export { quarantine, sanitizeTokens } from "./sanitize.js";
