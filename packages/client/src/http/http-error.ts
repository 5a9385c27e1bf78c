/** An error answer of a provider, as a ClientError that says what to do. */
import { ClientError } from "../error.js";
import type { JsonObject } from "../json.js";
import { asArray, asObject, asText, parseJson } from "../json-readers.js";
import { withoutSecrets } from "./secret.js";

/** How much of an error answer is read, and how much of one that is no JSON is shown. */
const READ_BYTES = 64 * 1024;
const SHOWN_CHARACTERS = 500;
/** How long it may take: the status is known and says most. */
const READ_MS = 2000;

export async function httpError(
  response: Response,
  provider: string,
  secrets: readonly string[],
): Promise<ClientError> {
  const text = await readStart(response);
  const told = toldError(text);
  const code = codeOf(told);
  const providerCode = code === undefined ? undefined : withoutSecrets(code, secrets);
  // Cut after the secrets are out: half of one would not be found.
  const message = asText(told?.message) ?? withoutSecrets(text, secrets).trim().slice(0, SHOWN_CHARACTERS);
  const retryAfterMs = retryAfter(response.headers);
  const parts = [
    `${provider} answered ${response.status}${providerCode === undefined ? "" : ` (${providerCode})`}`,
    message === "" ? "" : `: ${message}`,
    hint(response.status, retryAfterMs),
  ];
  return new ClientError("http", withoutSecrets(parts.join(""), secrets), {
    status: response.status,
    providerCode,
    retryAfterMs,
  });
}

/** Browsers hide the status of a redirect that is not followed. */
export function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

/** Following one would show the key to whoever stands at its target, and may turn the POST into a GET. */
export function redirected({ status }: Response, provider: string): ClientError {
  const message = `${provider} answered with a redirect, which is not followed. Set the base URL to where it leads.`;
  return new ClientError("http", message, status === 0 ? {} : { status });
}

/** A proxy may answer with anything of any size; its beginning says enough. */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Cancelling ends a read that waits.
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), READ_MS);
  try {
    while (bytes < READ_BYTES) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // A body that breaks off only makes the message shorter.
  } finally {
    clearTimeout(timer);
  }
  // Not awaited: a body that hangs may hang here too.
  reader.cancel().catch(() => undefined);
  return text;
}

/** Gemini wraps its error in an array when asked for a stream. */
function toldError(text: string): JsonObject | undefined {
  const value = parseJson(text);
  const body = asObject(asArray(value)?.[0] ?? value);
  return asObject(body?.error) ?? (typeof body?.error === "string" ? { message: body.error } : body);
}

/** Anthropic tells it as `type`, Gemini as `status`, OpenAI as `code` or `type`. */
function codeOf(error: JsonObject | undefined): string | undefined {
  return asText(error?.status) ?? asText(error?.code) ?? asText(error?.type);
}

function hint(status: number, retryAfterMs: number | undefined): string {
  if (status === 401 || status === 403) return ". Check the API key and what it is allowed to use.";
  if (status === 404) return ". Check the model's name and the base URL.";
  if (status === 413) return ". The request is too large: shorten the history.";
  if (status === 429 && retryAfterMs !== undefined) return `. Try again in ${Math.ceil(retryAfterMs / 1000)} s.`;
  return "";
}

/** @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after and the finer `retry-after-ms` of OpenAI */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const value = headers.get("retry-after");
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
