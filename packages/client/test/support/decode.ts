/** Ways to run a decoder, and what must hold of any stream. */
import { expect } from "vitest";
import { type DecoderOptions, type Event, type SchemeName, schemes } from "../../src/index.js";

/** All events of `bytes`, pushed in chunks that end at `cuts`. Made-up ids are counted, so that runs can be compared. */
export function decodeAt(
  scheme: SchemeName,
  bytes: Uint8Array,
  cuts: readonly number[],
  options: DecoderOptions = {},
): Event[] {
  let ids = 0;
  const decoder = schemes[scheme].decoder({ newId: () => `made-up-${ids++}`, ...options });
  const events: Event[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    events.push(...decoder.push(bytes.slice(from, cut)));
    from = cut;
  }
  events.push(...decoder.end());
  expect(decoder.end()).toEqual([]);
  return events;
}

export function decode(
  scheme: SchemeName,
  bytes: Uint8Array,
  chunkSize = bytes.length,
  options?: DecoderOptions,
): Event[] {
  const cuts: number[] = [];
  for (let at = chunkSize; at < bytes.length; at += Math.max(chunkSize, 1)) cuts.push(at);
  return decodeAt(scheme, bytes, cuts, options);
}

export function decodeText(scheme: SchemeName, text: string, options?: DecoderOptions): Event[] {
  return decode(scheme, new TextEncoder().encode(text), undefined, options);
}

/** Every promise of the Event union that does not depend on the stream. */
export function expectWellFormed(events: readonly Event[]): void {
  const open = new Set<number>();
  let started = 0;
  let reasons = 0;
  for (const event of events) {
    if (event.type === "block_start") {
      expect(event.index).toBe(started++);
      open.add(event.index);
    } else if (event.type === "block_delta") {
      expect(open, "a delta belongs to an open block").toContain(event.index);
      expect(event.delta.text).not.toBe("");
    } else if (event.type === "block_stop" || event.type === "block_abort") {
      expect(open.delete(event.index), "a block ends once").toBe(true);
      if (event.type === "block_stop" && event.stopReason !== undefined) reasons++;
    }
  }
  expect([...open], "blocks left open").toEqual([]);
  expect(reasons).toBeLessThanOrEqual(1);
  expect(events.filter((event) => event.type === "usage").length).toBeLessThanOrEqual(1);
  const statuses = events.flatMap((event) => (event.type === "status" ? [event.status] : []));
  expect(statuses.at(-1)).toMatch(/completed|failed/);
  expect(statuses.filter((status) => status !== "started")).toHaveLength(1);
}
