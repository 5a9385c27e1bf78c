/** Makes the control tokens of models harmless in text that comes from outside. */
import { Reader } from "./fold.js";
import { isAngleToken, isBracketToken, isTildeToken, isTurnColon, joinedName } from "./grammar.js";

interface Escape {
  readonly index: number;
  readonly text: string;
}

/** Whether a delimiter begins, or for colons ends, at the index of one of its opening characters. */
type Test = (index: number) => boolean;

const TAG = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const NONE: ReadonlySet<string> = new Set();

/**
 * The text with the first character of each control token written as an entity (`&lt;|im_start|>`), look-alikes
 * included: other case, added spaces or attributes, full-width and invisible characters. Nothing is removed, so nothing
 * new comes together; sanitising twice changes nothing more. Takes time in proportion to the text.
 * @param tags names of more XML tags to make harmless
 * @throws {TypeError} for a tag that is no ASCII XML name
 */
export function sanitizeTokens(text: string, tags: readonly string[] = []): string {
  const names = tags.length === 0 ? NONE : new Set(tags.map(checkedTag).map((tag) => joinedName(tag.toLowerCase())));
  const escapes: Escape[] = [];
  const reader = new Reader(text);
  const from = (index: number): Reader => {
    reader.seek(index + 1);
    return reader;
  };
  find(text, "<＜﹤˂ᐸ‹〈⟨", "&lt;", (index) => isAngleToken(from(index), names), escapes);
  find(text, "[［", "&#91;", (index) => isBracketToken(from(index), text), escapes);
  find(text, "]］", "&#93;", (index) => isTildeToken(from(index)), escapes);
  find(text, ":：﹕︓∶꞉", "&#58;", (index) => isTurnColon(text, index), escapes);
  return escapes.length === 0 ? text : applyEscapes(text, escapes);
}

/**
 * Text from outside in a tag of its own, its tokens sanitised and the tag inside made harmless. What is already
 * quarantined this way stays as it is.
 * @param tag an ASCII XML name
 * @throws {TypeError} for a tag that is none
 */
export function quarantine(text: string, tag = "untrusted_content"): string {
  const open = `<${checkedTag(tag)}>\n`;
  const close = `\n</${tag}>`;
  if (text.length >= open.length + close.length && text.startsWith(open) && text.endsWith(close)) {
    const inside = text.slice(open.length, text.length - close.length);
    if (sanitizeTokens(inside, [tag]) === inside) return text;
  }
  return open + sanitizeTokens(text, [tag]) + close;
}

function checkedTag(tag: string): string {
  if (!TAG.test(tag)) throw new TypeError(`A tag must be an ASCII XML name, and ${JSON.stringify(tag)} is none.`);
  return tag;
}

function find(text: string, openers: string, escaped: string, test: Test, escapes: Escape[]): void {
  for (const opener of openers)
    for (let index = text.indexOf(opener); index >= 0; index = text.indexOf(opener, index + 1))
      if (test(index)) escapes.push({ index, text: escaped });
}

function applyEscapes(text: string, escapes: Escape[]): string {
  escapes.sort((a, b) => a.index - b.index);
  const pieces: string[] = [];
  let at = 0;
  for (const { index, text: escaped } of escapes) {
    pieces.push(text.slice(at, index), escaped);
    at = index + 1;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}
