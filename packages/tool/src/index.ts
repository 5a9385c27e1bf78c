export * from "./context.js";
export type { Tool, ToolDefinition } from "./definition.js";
export * from "./effect.js";
export * from "./error.js";
export type { JsonObject, JsonSchema, JsonValue } from "./json.js";
export * from "./markers.js";
export * from "./meta.js";
export * from "./output.js";
export * from "./registry.js";
