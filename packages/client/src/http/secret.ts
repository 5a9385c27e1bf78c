/** Keeps API keys out of everything that a person or a log may see. */

/** Local servers take words like `none` or `ollama` for a key; hiding those would only make messages unreadable. */
const MIN_LENGTH = 8;

/** Text without the secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= MIN_LENGTH) clean = withoutBeginning(clean.replaceAll(secret, "[secret]"), secret);
  }
  return clean;
}

/** A text that was cut to what is shown may end in the middle of a secret. */
function withoutBeginning(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= MIN_LENGTH; length--) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}[secret]`;
  }
  return text;
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
