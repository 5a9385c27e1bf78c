/** Long outputs, cut so that a model knows what it does not see. */
export { type SpillContext, SpillError, type SpillErrorCode, type SpillSink } from "../spill/sink.js";
export type { Alignment } from "./boundary.js";
export { byteLength } from "./bytes.js";
export { escapeRef, unescapeRef } from "./marker.js";
export { bytesForContext, type SpillPolicy, type TruncationPolicy } from "./policy.js";
export { truncated } from "./tool.js";
export { type Truncation, truncate, truncateDetailed, truncateMiddle } from "./truncate.js";
