/** Middle-out truncation: the start and the end stay, a marker stands for what was between them. */
import { type SpillContext, SpillError } from "../spill/sink.js";
import { alignHead, alignTail } from "./boundary.js";
import { byteLength, endOfHead, isLongerThan, startOfTail } from "./bytes.js";
import { type Marker, markers, type Retention } from "./marker.js";
import { checkPolicy, headShare, type SpillPolicy, type TruncationPolicy } from "./policy.js";

export interface Truncation {
  /** Head, marker and tail; the input itself where it fits. Never longer than `maxBytes`. */
  readonly text: string;
  readonly originalBytes: number;
  /** What was left out, as byte offsets into the input, the end exclusive. Undefined where nothing was. */
  readonly omitted: { readonly start: number; readonly end: number } | undefined;
  /** As it stands in the text; empty where nothing was left out. */
  readonly marker: string;
  /** Where the whole output was kept. */
  readonly ref?: string;
  /** Why it was not. */
  readonly spillError?: SpillError;
}

/** Cuts without keeping. @throws {RangeError} for a `maxBytes` that is none */
export function truncateMiddle(text: string, policy: TruncationPolicy): Truncation {
  checkPolicy(policy);
  if (!isLongerThan(text, policy.maxBytes)) return whole(text);
  return cut(text, policy, { kind: "none" });
}

/**
 * Keeps the whole text in the policy's sink, then cuts. A text that fits is not kept.
 * @throws {SpillError} where it could not be kept: the caller decides
 * @throws {RangeError} for a `maxBytes` that is none
 */
export async function truncateDetailed(text: string, policy: SpillPolicy, context: SpillContext): Promise<Truncation> {
  checkPolicy(policy);
  if (!isLongerThan(text, policy.maxBytes)) return whole(text);
  const { retention, ref } = await retain(text, policy, context);
  return { ...cut(text, policy, retention), ...(ref === undefined ? {} : { ref }) };
}

/**
 * The same, but never fails for a sink: the marker tells the model that the omitted part is lost.
 * @throws {RangeError} for a `maxBytes` that is none
 */
export async function truncate(text: string, policy: SpillPolicy, context: SpillContext): Promise<Truncation> {
  checkPolicy(policy);
  if (!isLongerThan(text, policy.maxBytes)) return whole(text);
  const { retention, ref, spillError } = await tryToRetain(text, policy, context);
  return {
    ...cut(text, policy, retention),
    ...(ref === undefined ? {} : { ref }),
    ...(spillError === undefined ? {} : { spillError }),
  };
}

export interface Retained {
  readonly retention: Retention;
  readonly ref?: string;
  readonly spillError?: SpillError;
}

/** Keeps the text where there is a sink. @throws {SpillError} */
async function retain(text: string, policy: SpillPolicy, context: SpillContext): Promise<Retained> {
  if (policy.sink === undefined) return { retention: { kind: "none" } };
  try {
    const ref = await policy.sink.spill(context, text);
    return { retention: { kind: "kept", ref }, ref };
  } catch (thrown) {
    throw SpillError.from(thrown);
  }
}

/** The same, with the failure as a result. */
export async function tryToRetain(text: string, policy: SpillPolicy, context: SpillContext): Promise<Retained> {
  try {
    return await retain(text, policy, context);
  } catch (thrown) {
    const spillError = SpillError.from(thrown);
    policy.onSpillError?.(spillError);
    return { retention: { kind: "lost", code: spillError.code }, spillError };
  }
}

function whole(text: string): Truncation {
  return { text, originalBytes: byteLength(text), omitted: undefined, marker: "" };
}

/** Cuts a text that is longer than the policy allows. */
export function cut(text: string, policy: TruncationPolicy, retention: Retention): Truncation {
  const originalBytes = byteLength(text);
  const room = policy.maxBytes;
  const candidates = markers(policy.marker, retention).map((marker) => ({
    marker,
    size: largest(marker, originalBytes),
  }));
  // A short marker with some of the output says more than a long one with none of it.
  const chosen = candidates.find(({ size }) => size < room) ?? candidates.find(({ size }) => size === room);
  if (chosen === undefined) return markerOnly(candidates.at(-1)?.marker, originalBytes, room);
  const kept = room - chosen.size;
  const headBytes = Math.floor(kept * headShare(policy));
  const alignment = policy.alignment ?? "char";
  const headMost = endOfHead(text, headBytes);
  const tailMost = startOfTail(text, kept - headBytes);
  const headEnd = alignHead(text, headMost.index, alignment);
  const tailStart = alignTail(text, tailMost.index, alignment);
  const omitted = {
    start: headMost.bytes - byteLength(text.slice(headEnd, headMost.index)),
    end: originalBytes - tailMost.bytes + byteLength(text.slice(tailMost.index, tailStart)),
  };
  const marker = chosen.marker({ ...omitted, original: originalBytes });
  return { text: text.slice(0, headEnd) + marker + text.slice(tailStart), originalBytes, omitted, marker };
}

/** No smaller than the marker of any cut: each number in it has at least as many digits. */
function largest(marker: Marker, originalBytes: number): number {
  return byteLength(marker({ start: originalBytes, end: originalBytes * 2, original: originalBytes }));
}

function markerOnly(marker: Marker | undefined, originalBytes: number, room: number): Truncation {
  const omitted = { start: 0, end: originalBytes };
  const full = marker?.({ ...omitted, original: originalBytes }) ?? "";
  const text = full.slice(0, endOfHead(full, room).index);
  return { text, originalBytes, omitted, marker: text };
}
