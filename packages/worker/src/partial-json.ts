/**
 * JSON that is still being written, as a value: what is complete so far, with open strings, arrays and objects as far as
 * they go. Reads each character once; the value grows in place.
 */
import type { JsonValue } from "@tsukumo/tool";

type Mutable = string | number | boolean | null | Mutable[] | { [key: string]: Mutable };

/** An array or object that is open; `key` is the one whose value comes next. */
type Frame = { readonly kind: "array"; readonly value: Mutable[] } | ObjectFrame;
interface ObjectFrame {
  readonly kind: "object";
  readonly value: { [key: string]: Mutable };
  key: string | undefined;
}

const BLANK = /[\s,:]/;
const SCALAR_END = /[\s,\]}]/;

export class PartialJson {
  #root: Mutable | undefined;
  readonly #stack: Frame[] = [];
  /** A string or scalar that is not finished: its raw text. */
  #token = "";
  #inString = false;
  /** What the open string is so far, decoded; escapes that are cut wait in `#escape`. */
  #decoded = "";
  #escape = "";
  #broken = false;
  /** The value that was put last is an unfinished string, which is put again when it grows. */
  #placed = false;

  /** The value so far; `{}` before anything is written. After text that is not JSON it stays as it was. */
  get value(): JsonValue {
    return this.#root ?? {};
  }

  push(text: string): void {
    for (let at = 0; at < text.length && !this.#broken; at++) {
      if (this.#inString) at = this.#readString(text, at);
      else this.#readOutside(text.charAt(at));
    }
    if (this.#inString && !this.#isKey()) this.#put(this.#decoded, false);
  }

  #readOutside(char: string): void {
    if (this.#token !== "") {
      if (!SCALAR_END.test(char)) {
        this.#token += char;
        return;
      }
      this.#endScalar();
    }
    if (BLANK.test(char)) return;
    switch (char) {
      case '"':
        this.#inString = true;
        this.#decoded = "";
        break;
      case "{": {
        const value: { [key: string]: Mutable } = {};
        this.#put(value, true);
        this.#stack.push({ kind: "object", value, key: undefined });
        break;
      }
      case "[": {
        const value: Mutable[] = [];
        this.#put(value, true);
        this.#stack.push({ kind: "array", value });
        break;
      }
      case "}":
      case "]":
        this.#broken ||= this.#stack.pop() === undefined;
        break;
      default:
        this.#token = char;
    }
  }

  /** Reads from `at` to the string's end or the text's; gives the place of the last character it read. */
  #readString(text: string, at: number): number {
    let from = at;
    for (let i = at; i < text.length; i++) {
      const char = text.charAt(i);
      if (this.#escape !== "") {
        this.#readEscape(char);
        from = i + 1;
      } else if (char === "\\") {
        this.#decoded += text.slice(from, i);
        this.#escape = char;
      } else if (char === '"') {
        this.#decoded += text.slice(from, i);
        this.#endString();
        return i;
      }
    }
    if (this.#escape === "") this.#decoded += text.slice(from);
    return text.length;
  }

  #readEscape(char: string): void {
    this.#escape += char;
    const length = this.#escape.charAt(1) === "u" ? 6 : 2;
    if (this.#escape.length < length) return;
    const decoded: unknown = parsed(`"${this.#escape}"`);
    this.#escape = "";
    if (typeof decoded === "string") this.#decoded += decoded;
    else this.#broken = true;
  }

  #endString(): void {
    this.#inString = false;
    const frame = this.#stack.at(-1);
    if (frame?.kind === "object" && frame.key === undefined) frame.key = this.#decoded;
    else this.#put(this.#decoded, true);
  }

  #endScalar(): void {
    const value: unknown = parsed(this.#token);
    this.#token = "";
    if (value === null || typeof value === "number" || typeof value === "boolean") this.#put(value, true);
    else this.#broken = true;
  }

  #isKey(): boolean {
    const frame = this.#stack.at(-1);
    return frame?.kind === "object" && frame.key === undefined;
  }

  #put(value: Mutable, finished: boolean): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) this.#root = value;
    else if (frame.kind === "array") {
      if (this.#placed) frame.value[frame.value.length - 1] = value;
      else frame.value.push(value);
    } else if (frame.key === undefined) this.#broken = true;
    else {
      // defineProperty: a key "__proto__" must become a property like any other.
      Object.defineProperty(frame.value, frame.key, { value, enumerable: true, writable: true, configurable: true });
      if (finished) frame.key = undefined;
    }
    this.#placed = !finished;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
