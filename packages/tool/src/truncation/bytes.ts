/** Sizes of text in UTF-8. A surrogate without its partner counts as the three bytes of U+FFFD that it is sent as. */

const CHUNK = 16_384;

/** A place in a text, and how many bytes lie between it and the end that it was measured from. */
export interface Cut {
  readonly index: number;
  readonly bytes: number;
}

/** How many bytes the text has in UTF-8. */
export function byteLength(text: string): number {
  const measure = chunkMeasure();
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const end = charBoundary(text, Math.min(at + CHUNK, text.length));
    bytes += measure(text.slice(at, end));
    at = end;
  }
  return bytes;
}

/** True where the text has more bytes than that; most texts need not be counted. */
export function isLongerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && byteLength(text) > bytes;
}

/** The end of the longest start of the text that has at most so many bytes. */
export function endOfHead(text: string, bytes: number): Cut {
  const measure = chunkMeasure();
  let left = bytes;
  let at = 0;
  // Whole chunks first, which an encoder measures faster than a loop does.
  while (left >= CHUNK && at + CHUNK < text.length) {
    const end = charBoundary(text, at + CHUNK);
    const size = measure(text.slice(at, end));
    if (size > left) break;
    left -= size;
    at = end;
  }
  while (at < text.length) {
    const width = isPair(text, at) ? 2 : 1;
    const size = width === 2 ? 4 : unitBytes(text.charCodeAt(at));
    if (size > left) break;
    left -= size;
    at += width;
  }
  return { index: at, bytes: bytes - left };
}

/** The start of the longest end of the text that has at most so many bytes. */
export function startOfTail(text: string, bytes: number): Cut {
  const measure = chunkMeasure();
  let left = bytes;
  let at = text.length;
  while (left >= CHUNK && at > CHUNK) {
    const start = charBoundary(text, at - CHUNK);
    const size = measure(text.slice(start, at));
    if (size > left) break;
    left -= size;
    at = start;
  }
  while (at > 0) {
    const width = isPair(text, at - 2) ? 2 : 1;
    const size = width === 2 ? 4 : unitBytes(text.charCodeAt(at - 1));
    if (size > left) break;
    left -= size;
    at -= width;
  }
  return { index: at, bytes: bytes - left };
}

/** The index itself, or the one before where it would split a surrogate pair. */
export function charBoundary(text: string, index: number): number {
  return isPair(text, index - 1) ? index - 1 : index;
}

/** Measures pieces of at most CHUNK units and one. */
function chunkMeasure(): (piece: string) => number {
  const encoder = new TextEncoder();
  let buffer: Uint8Array<ArrayBuffer> | undefined;
  return (piece) => {
    buffer ??= new Uint8Array((CHUNK + 1) * 3);
    return encoder.encodeInto(piece, buffer).written;
  };
}

function isPair(text: string, at: number): boolean {
  if (at < 0 || at + 1 >= text.length) return false;
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

function unitBytes(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}
