/** Against pages that reach a local server through DNS rebinding: which hosts and origins may call. */
import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";

export interface Allowed {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

/** A 403 for a request that may not come in. */
export function guard(request: Request, { hosts, origins }: Allowed): Response | undefined {
  if (!hosts.includes("*")) {
    // A Request built by hand has no Host header; its URL says the same.
    const host = validateHostHeader(request.headers.get("host") ?? new URL(request.url).host, [...hosts]);
    if (!host.ok) return forbidden(host.message);
  }
  if (origins.includes("*")) return undefined;
  const origin = validateOriginHeader(request.headers.get("origin"), [...origins]);
  return origin.ok ? undefined : forbidden(origin.message);
}

function forbidden(message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }, { status: 403 });
}
