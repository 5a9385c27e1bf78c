/** What is wrong with a template, and where. */

export type TemplateErrorCode =
  | "frontmatter"
  | "syntax"
  | "blockquote"
  | "undeclared"
  | "unused"
  | "type"
  | "filter"
  | "match"
  | "include"
  | "untrusted"
  | "value";

/** A place in a template's source. */
export interface TemplateSource {
  /** The file's path, or a name for inline text. */
  readonly file: string;
  /** With `\n` as line ends. */
  readonly text: string;
}

export class TemplateError extends Error {
  readonly code: TemplateErrorCode;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** The line itself and a caret under the place. */
  readonly snippet: string;
  /** The message without its place. */
  readonly reason: string;

  constructor(code: TemplateErrorCode, reason: string, source: TemplateSource, offset: number, cause?: unknown) {
    const before = source.text.slice(0, offset).split("\n");
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    const snippet = `${source.text.split("\n")[line - 1] ?? ""}\n${" ".repeat(column - 1)}^`;
    super(`${source.file}:${line}:${column}: ${reason}\n${snippet}`, cause === undefined ? undefined : { cause });
    this.name = "TemplateError";
    this.code = code;
    this.file = source.file;
    this.line = line;
    this.column = column;
    this.snippet = snippet;
    this.reason = reason;
  }
}
