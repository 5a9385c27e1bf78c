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

/** Gemini has the model in its path. A name with slashes is a path of its own, as on Vertex AI. */
export function geminiUrl(baseUrl: string, model: string): string {
  const path = model.includes("/") ? model : `models/${model}`;
  const url = new URL(endpoint(baseUrl, "v1beta", `${path}:streamGenerateContent`));
  url.searchParams.set("alt", "sse");
  return url.toString();
}

/** Ollama's own API has no version; `/v1` belongs to its compatible one. */
export function ollamaUrl(baseUrl: string): string {
  const url = parse(baseUrl);
  const base = url.pathname.replace(/\/+$/, "").replace(/\/(v1|api|api\/chat)$/, "");
  url.pathname = `${base}/api/chat`;
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
