/** Parts of a kept output: by bytes, by lines that hold a text, by the first or last lines. */

export interface Selection {
  /** Byte offsets into the whole output, the end exclusive. */
  readonly start?: number;
  readonly end?: number;
  /** Only lines that hold this text. */
  readonly grep?: string;
  readonly ignore_case?: boolean;
  /** Only so many lines from the start of what is selected, or from its end. */
  readonly head?: number;
  readonly tail?: number;
}

/** A range of bytes, moved inwards to whole characters. */
export interface ByteRange {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of the whole output. */
  readonly total: number;
  /** The number of the first line, from 1. */
  readonly line: number;
}

const NEWLINE = 10;

export function selectBytes(whole: string, from: number, to: number): ByteRange {
  const bytes = new TextEncoder().encode(whole);
  let start = Math.min(from, bytes.length);
  while (isContinuation(bytes[start])) start++;
  let end = Math.max(start, Math.min(to, bytes.length));
  while (end > start && isContinuation(bytes[end])) end--;
  let line = 1;
  for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < start; at = bytes.indexOf(NEWLINE, at + 1)) line++;
  // The text may begin with what a decoder takes for a byte order mark.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end));
  return { text, start, end, total: bytes.length, line };
}

/** The lines that are wanted, each with its number in the whole output. */
export function selectLines(range: ByteRange, { grep, ignore_case, head, tail }: Selection): string[] {
  const lines = range.text.split("\n");
  // What follows the last newline is no line where it is nothing.
  if (lines.at(-1) === "") lines.pop();
  const numbered = lines.map((text, index) => ({ text, number: range.line + index }));
  const found = grep === undefined ? numbered : numbered.filter(({ text }) => holds(text, grep, ignore_case ?? false));
  const wanted = head !== undefined ? found.slice(0, head) : tail !== undefined ? lastOf(found, tail) : found;
  return wanted.map(({ text, number }) => `${number}: ${text}`);
}

/** Plain text and no pattern: a model's pattern can take longer than the world lasts. */
function holds(line: string, text: string, ignoreCase: boolean): boolean {
  return ignoreCase ? line.toLowerCase().includes(text.toLowerCase()) : line.includes(text);
}

function lastOf<T>(items: readonly T[], count: number): readonly T[] {
  return count === 0 ? [] : items.slice(-count);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
