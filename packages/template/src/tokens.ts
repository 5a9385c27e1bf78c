/** The words of an expression, a statement or a type. */
import { TemplateError, type TemplateSource } from "./error.js";

export type Token =
  | { readonly kind: "name"; readonly text: string; readonly at: number }
  | { readonly kind: "number"; readonly text: string; readonly at: number }
  /** The text between the quotes, escapes and interpolations unread. */
  | { readonly kind: "string"; readonly text: string; readonly at: number }
  | { readonly kind: "sign"; readonly text: string; readonly at: number };

const WORD =
  /\s+|([A-Za-z_]\w*)|(-?\d+(?:\.\d+)?(?![\w.]))|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(&&|\|\||==|!=|<=|>=|:=|[!<>|().,=])/suy;

/** Reads `start..end` of the source. @throws {TemplateError} at what is no word */
export function tokenize(source: TemplateSource, start: number, end: number): Token[] {
  const tokens: Token[] = [];
  const text = source.text.slice(0, end);
  let at = start;
  while (at < end) {
    WORD.lastIndex = at;
    const found = WORD.exec(text);
    if (found === null)
      throw new TemplateError("syntax", `${JSON.stringify(text.charAt(at))} does not belong here.`, source, at);
    const [whole, name, number, string, sign] = found;
    if (name !== undefined) tokens.push({ kind: "name", text: name, at });
    else if (number !== undefined) tokens.push({ kind: "number", text: number, at });
    else if (string !== undefined) tokens.push({ kind: "string", text: string.slice(1, -1), at });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign, at });
    at += whole.length;
  }
  return tokens;
}

/** Reads tokens one after the other. */
export class TokenReader {
  readonly source: TemplateSource;
  readonly end: number;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(source: TemplateSource, start: number, end: number) {
    this.source = source;
    this.end = end;
    this.#tokens = tokenize(source, start, end);
  }

  get peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  get at(): number {
    return this.peek?.at ?? this.end;
  }

  take(): Token | undefined {
    const token = this.peek;
    this.#next += 1;
    return token;
  }

  /** Takes the sign or name if it is the next token. */
  takeIf(text: string): boolean {
    const token = this.peek;
    if (token === undefined || token.text !== text || token.kind === "string" || token.kind === "number") return false;
    this.#next += 1;
    return true;
  }

  expect(text: string): void {
    if (!this.takeIf(text)) this.fail(`\`${text}\` is expected here.`);
  }

  name(what: string): string {
    const token = this.take();
    if (token?.kind === "name") return token.text;
    this.#next -= 1;
    return this.fail(`${what} is expected here.`);
  }

  done(): void {
    if (this.peek !== undefined) this.fail(`\`${this.peek.text}\` does not belong here.`);
  }

  fail(reason: string): never {
    throw new TemplateError("syntax", reason, this.source, this.at);
  }
}

/** A string's own text: only `\\`, `\"` and `\'` are escapes. */
export function unescaped(text: string, source: TemplateSource, at: number): string {
  return text.replace(/\\(.)/gs, (_, char: string) => {
    if (char === "\\" || char === '"' || char === "'") return char;
    throw new TemplateError(
      "syntax",
      `\`\\${char}\` is no escape; there are \`\\\\\`, \`\\"\` and \`\\'\`.`,
      source,
      at,
    );
  });
}
