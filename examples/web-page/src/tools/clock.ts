/**
 * Reads the user's clock.
 * @tool
 * @effect read_only
 */
export function readClock(): { now: string; timeZone: string } {
  return { now: new Date().toString(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
