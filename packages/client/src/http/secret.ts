/** Keeps API keys out of everything that a person or a log may see. */

/** Local servers take words like `none` or `ollama` for a key; hiding those would only make messages unreadable. */
const MIN_LENGTH = 8;

/** Text without the secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= MIN_LENGTH) clean = clean.replaceAll(secret, "[secret]");
  return clean;
}

/** The cause of an error, unless a secret shows anywhere in what it prints. */
export function safeCause(cause: unknown, secrets: readonly string[]): unknown {
  let seen = 0;
  for (let error = cause; error instanceof Error && seen < 8; error = error.cause, seen++) {
    const printed = `${error.message}\n${error.stack ?? ""}`;
    if (withoutSecrets(printed, secrets) !== printed) return undefined;
  }
  return typeof cause === "string" ? withoutSecrets(cause, secrets) : cause;
}
