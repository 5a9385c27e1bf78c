export type { BlockHandler, EventHandler, HandlerFailure } from "./handler.js";
export * from "./kind.js";
export { TextBlockCollector, ThinkingCollector } from "./text-collector.js";
export { Timeline } from "./timeline.js";
export { type CollectedCall, ToolCallCollector } from "./tool-call-collector.js";
