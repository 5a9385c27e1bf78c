export type { ConfigWarning, LlmClient, RetryNotice, StreamOptions } from "./client.js";
export { ClientError, type ClientErrorCode, type ClientErrorDetails } from "./error.js";
export type * from "./event.js";
export * from "./item.js";
export type { JsonObject, JsonValue } from "./json.js";
export type { LlmToolDefinition, Request, RequestConfig } from "./request.js";
export { type SchemeName, schemes } from "./scheme/index.js";
export type { Decoder, DecoderOptions, EncodeOptions, Scheme } from "./scheme.js";
