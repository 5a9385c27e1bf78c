/** Characters as a reader takes them: without case, width, style or what cannot be seen. */

const INVISIBLE = /^[\p{Cf}\p{Cc}\p{Mn}\p{Me}\p{Cs}\p{Default_Ignorable_Code_Point}]$/u;
const SPACE = /^[\s\u0085\u2800]$/;

/** What NFKC leaves apart and eyes do not. Each letter of the first line stands for the one below it. */
const LOOKS_LIKE = "│∣ǀ❘⏐┃¦￨ꞁ⁄∕⧸˂ᐸ＜‹〈⟨˃ᐳ›〉⟩‚аеорсухіѕјһԁոɡıοτκν∶꞉︰";
const MEANS = "|||||||||///<<<<<<>>>>>,aeopcyxisjhdngiotkv:::";
const CONFUSABLE = new Map([...LOOKS_LIKE].map((char, index) => [char, MEANS.charAt(index)]));

/** Filled as they are met: all at once would cost every program that loads this a millisecond. */
const ASCII: (string | undefined)[] = new Array<string | undefined>(128).fill(undefined);

/** The character in its plain, lower-case form: none for what is invisible, several for a ligature. */
export function fold(codePoint: number): string {
  if (codePoint >= ASCII.length) return foldChar(String.fromCodePoint(codePoint));
  let folded = ASCII[codePoint];
  if (folded === undefined) {
    folded = foldChar(String.fromCharCode(codePoint));
    ASCII[codePoint] = folded;
  }
  return folded;
}

function foldChar(char: string): string {
  if (SPACE.test(char)) return " ";
  if (INVISIBLE.test(char)) return "";
  const plain = (CONFUSABLE.get(char) ?? char).normalize("NFKC").toLowerCase();
  return CONFUSABLE.get(plain) ?? plain;
}

/** Reads folded characters forward. */
export class Reader {
  /** The character at hand; empty at the end of the text. */
  char = "";
  readonly #text: string;
  #next = 0;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Goes to an index. */
  seek(index: number): void {
    this.#next = index;
    this.advance();
  }

  /** Where the character at hand begins. */
  get index(): number {
    return this.#start;
  }

  advance(): void {
    const ascii = ASCII[this.#text.charCodeAt(this.#next)];
    if (ascii !== undefined && ascii !== "") {
      this.#start = this.#next++;
      this.char = ascii;
      return;
    }
    while (this.#next < this.#text.length) {
      this.#start = this.#next;
      const codePoint = this.#text.codePointAt(this.#next) ?? 0;
      this.#next += codePoint > 0xffff ? 2 : 1;
      this.char = fold(codePoint);
      if (this.char !== "") return;
    }
    this.#start = this.#text.length;
    this.char = "";
  }

  skipSpace(): void {
    while (this.char === " ") this.advance();
  }

  /** Passes the character where it is at hand. */
  take(char: string): boolean {
    if (this.char !== char) return false;
    this.advance();
    return true;
  }

  /** Reads on while characters are of that kind; undefined where there are more than the limit. */
  takeWhile(kind: (char: string) => boolean, limit: number): string | undefined {
    let read = "";
    while (this.char !== "" && kind(this.char)) {
      if (read.length >= limit) return undefined;
      read += this.char;
      this.advance();
    }
    return read;
  }
}
