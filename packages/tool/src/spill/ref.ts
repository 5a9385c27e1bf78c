/** References that nobody guesses: whoever has one may read the output. */

const REF = /^obs-[0-9a-f]{32}$/;

export function randomRef(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `obs-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** True for what `randomRef` may have made: safe as a file name. */
export function isRef(text: string): boolean {
  return REF.test(text);
}
