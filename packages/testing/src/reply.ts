/** What a ReplayServer answers a request with. */

/** A stream that goes well: its bytes, as text or recorded. */
export type Body = string | Uint8Array;

/** How one request is answered. A plain body is `{ body }`. */
export interface Reply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** Bytes a chunk; default: the server's. */
  readonly chunkSize?: number;
  /** Milliseconds between chunks; default: the server's. */
  readonly delayMs?: number;
  /** Milliseconds before the status line. */
  readonly openDelayMs?: number;
  /** Milliseconds between the status line and the first chunk. */
  readonly firstChunkDelayMs?: number;
  /** What happens in the middle. */
  readonly fault?: Fault;
}

export type Fault =
  /** The connection is destroyed after so many bytes of the body. */
  | { readonly type: "cut"; readonly afterBytes: number }
  /** Nothing more is sent after so many bytes, and the connection stays open. */
  | { readonly type: "hang"; readonly afterBytes: number }
  /** No status line is ever sent. */
  | { readonly type: "silence" }
  /** The connection is destroyed before the status line. */
  | { readonly type: "refuse" };

export type Turn = Body | Reply;

export function toReply(turn: Turn): Reply {
  return typeof turn === "string" || turn instanceof Uint8Array ? { body: turn } : turn;
}

/** 429 with a `retry-after` of so many seconds. */
export function rateLimited(retryAfterSeconds: number): Reply {
  return errorReply(429, "rate_limit_error", "Too many requests.", { "retry-after": String(retryAfterSeconds) });
}

/** An error in the shape that Anthropic and OpenAI share. */
export function errorReply(
  status: number,
  type = "api_error",
  message = "Something went wrong.",
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const body = JSON.stringify({ type: "error", error: { type, message } });
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}

/** A stream whose connection breaks after `afterBytes` bytes; the half by default, which is in the middle of an event. */
export function cut(body: Body, afterBytes = Math.floor(byteLength(body) / 2)): Reply {
  return { body, fault: { type: "cut", afterBytes } };
}

/** A stream that stops after `afterBytes` bytes and never ends. */
export function hang(body: Body = "", afterBytes = byteLength(body)): Reply {
  return { body, fault: { type: "hang", afterBytes } };
}

/** A stream of single bytes, `delayMs` apart. */
export function drip(body: Body, delayMs = 1): Reply {
  return { body, chunkSize: 1, delayMs };
}

export function bytesOf(body: Body): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

function byteLength(body: Body): number {
  return bytesOf(body).length;
}
