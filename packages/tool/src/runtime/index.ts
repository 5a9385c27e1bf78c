/**
 * What emitted code calls. Not for hand-written code, `partialArguments` aside: it may change with the compiler.
 */
export { attach, attachMethods, attachPrompt, attachResource, type MethodBlueprints } from "./attach.js";
export { definition, GeneratedTool, type ToolBlueprint } from "./blueprint.js";
export { isMultiple, isUnique, lengthWithin } from "./checks.js";
export { hasFormat } from "./formats.js";
export { type PartialArguments, partialArguments } from "./partial.js";
export type { PromptBlueprint } from "./prompt.js";
export type { ResourceBlueprint } from "./resource.js";
export { asDate, asUrl } from "./revive.js";
