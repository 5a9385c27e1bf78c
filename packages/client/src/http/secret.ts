/** Keeps API keys out of everything that a person or a log may see. */

/** Text without the secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret !== "") clean = clean.replaceAll(secret, "[secret]");
  return clean;
}

/** The cause of an error, unless a secret shows anywhere in what it prints. */
export function safeCause(cause: unknown, secrets: readonly string[]): unknown {
  let seen = 0;
  for (let error = cause; error instanceof Error && seen < 8; error = error.cause, seen++) {
    const printed = `${error.message}\n${error.stack ?? ""}`;
    if (secrets.some((secret) => secret !== "" && printed.includes(secret))) return undefined;
  }
  if (typeof cause === "string") return withoutSecrets(cause, secrets);
  return cause;
}
