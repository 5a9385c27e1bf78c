/**
 * Tells today's date and the time.
 * @tool
 * @effect read_only
 * @param timeZone An IANA time zone, e.g. "Asia/Tokyo"; the user's own unless given
 */
export function currentTime(timeZone?: string): string {
  return new Date().toLocaleString("en-GB", { dateStyle: "full", timeStyle: "long", timeZone });
}
