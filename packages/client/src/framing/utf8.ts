/**
 * Bytes to text, chunk by chunk. One decoder serves all streams, because it keeps nothing between two calls.
 * Holds an unfinished character back by itself instead of `decode(chunk, { stream: true })`: the stream mode of
 * TextDecoder leaves Node's fast path and takes two to five times as long.
 * @see https://encoding.spec.whatwg.org/#utf-8-decoder
 */
const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });
const BYTE_ORDER_MARK = 0xfeff;

export class Utf8Stream {
  #carry: Uint8Array = new Uint8Array(0);
  #began = false;
  /** The text of the last push had as many characters as bytes, so it was ASCII. */
  ascii = true;

  /** The text of the characters that are complete. */
  push(chunk: Uint8Array): string {
    let bytes = chunk;
    if (this.#carry.length > 0) {
      bytes = new Uint8Array(this.#carry.length + chunk.length);
      bytes.set(this.#carry, 0);
      bytes.set(chunk, this.#carry.length);
    }
    const held = unfinishedBytes(bytes);
    const cut = bytes.length - held;
    // A copy, because the caller may reuse the chunk's memory.
    if (held > 0 || this.#carry.length > 0) this.#carry = bytes.slice(cut);
    const text = this.#text(held === 0 ? bytes : bytes.subarray(0, cut));
    this.ascii = text.length === cut;
    return text;
  }

  /** What is left when the bytes are over: a broken character becomes U+FFFD. */
  end(): string {
    const rest = this.#carry;
    this.#carry = new Uint8Array(0);
    return this.#text(rest);
  }

  #text(bytes: Uint8Array): string {
    if (bytes.length === 0) return "";
    const text = UTF8.decode(bytes);
    if (this.#began || text.length === 0) return text;
    this.#began = true;
    return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  }
}

/** How many bytes at the end begin a character that the next chunk may finish. */
function unfinishedBytes(bytes: Uint8Array): number {
  const end = bytes.length;
  const last = bytes[end - 1];
  if (last === undefined || last < 0x80) return 0;
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    return isPrefix(byte, bytes, end - back, back) ? back : 0;
  }
  return 0;
}

/** Bytes that can never become a character must not wait: they decode to the same U+FFFD in every split. */
function isPrefix(lead: number, bytes: Uint8Array, at: number, length: number): boolean {
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || length >= needed) return false;
  if (length === 1) return true;
  const second = bytes[at + 1] ?? 0;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second < 0xa0;
  if (lead === 0xf0) return second >= 0x90;
  if (lead === 0xf4) return second < 0x90;
  return true;
}

/** The UTF-8 length of `text` from `start` to `end`. */
export function utf8Length(text: string, start: number, end: number): number {
  let bytes = end - start;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair counts two, together the four bytes of the character.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}
