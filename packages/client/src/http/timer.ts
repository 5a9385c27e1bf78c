/** setTimeout for waits of any length: the platform runs one above 2^31 - 1 ms at once. */

const LONGEST_MS = 2 ** 31 - 1;

export function startTimer(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
  return setTimeout(callback, Math.min(ms, LONGEST_MS));
}
