/** Base URLs as people write them: with or without a version, a trailing slash, or the endpoint itself. */
import { ClientError } from "../error.js";

/** The URL of `path` (`chat/completions`) below `baseUrl`, with `version` where the base has none. */
export function endpoint(baseUrl: string, version: string, path: string): string {
  const url = parse(baseUrl);
  const base = url.pathname.replace(/\/+$/, "");
  if (base.endsWith(`/${path}`)) url.pathname = base;
  else url.pathname = hasVersion(base) ? `${base}/${path}` : `${base}/${version}/${path}`;
  return url.toString();
}

/** Azure's deployments have their version in the query. */
function hasVersion(path: string): boolean {
  return path.split("/").some((segment) => /^v\d+[a-z0-9]*$/.test(segment) || segment === "deployments");
}

function parse(baseUrl: string): URL {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new ClientError(
      "config",
      "baseUrl is not a URL. Write it with its scheme, as in https://api.example.com/v1.",
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ClientError("config", "baseUrl must begin with http:// or https://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ClientError("config", "baseUrl must not hold a user or password. Pass apiKey or headers instead.");
  }
  return url;
}
