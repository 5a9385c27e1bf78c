/** The template language at build time. What compiled templates call is in `./filters`. */
export type { Declaration, Template, TemplateValue } from "./ast.js";
export { type CheckedTemplate, type CheckOptions, checkTemplate } from "./check.js";
export { type EmitStyle, emitTemplate } from "./emit.js";
export { TemplateError, type TemplateErrorCode, type TemplateSource } from "./error.js";
export { parseTemplate } from "./parse.js";
export { renderTemplate } from "./render.js";
export { type Fields, type TemplateType, typeText } from "./types.js";
