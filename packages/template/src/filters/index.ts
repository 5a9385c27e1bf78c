/** What compiled templates call. */
export { add, fixed, join, limit, lower, sub, trim, truncate, upper } from "./plain.js";
export { escape_json, escape_xml, fence, quarantine, sanitize_tokens, tojson } from "./safe.js";
export { contains, has, items, kind, len, panic, TemplatePanic, text, truthy } from "./text.js";
