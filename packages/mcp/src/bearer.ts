/** Bearer tokens. @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization */
import { type AuthInfo, OAuthError, OAuthErrorCode, requireBearerAuth } from "@modelcontextprotocol/server";

export interface BearerOptions {
  /**
   * Who holds the token; undefined for one that is not valid. `expiresAt`, in seconds since 1970, is an hour from now
   * unless given.
   */
  readonly verify: (token: string) => Promise<(Omit<AuthInfo, "token"> & { readonly token?: string }) | undefined>;
  /** Scopes that a token must have. */
  readonly requiredScopes?: readonly string[];
  /** Where clients learn how to get a token (RFC 9728). */
  readonly resourceMetadataUrl?: string;
}

/** Gives who calls, or the 401 or 403 that refuses. */
export function bearerGate(options: BearerOptions): (request: Request) => Promise<AuthInfo | Response> {
  const { verify, requiredScopes, resourceMetadataUrl } = options;
  return requireBearerAuth({
    verifier: {
      verifyAccessToken: async (token) => {
        const info = await verify(token);
        if (info === undefined) throw new OAuthError(OAuthErrorCode.InvalidToken, "The token is not valid.");
        return { expiresAt: Math.floor(Date.now() / 1000) + 3600, ...info, token };
      },
    },
    ...(requiredScopes === undefined ? {} : { requiredScopes: [...requiredScopes] }),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
  });
}
