/** Source text -> Template. */
import type { Branch, Case, Expression, Node, Pattern, Template } from "./ast.js";
import { TemplateError, type TemplateSource } from "./error.js";
import { expression, parseExpression } from "./expression.js";
import { parseFrontmatter } from "./frontmatter.js";
import { type Piece, splitBody } from "./pieces.js";
import { TokenReader, unescaped } from "./tokens.js";

/** @throws {TemplateError} at the first thing that is wrong */
export function parseTemplate(text: string, file: string): Template {
  const source: TemplateSource = { file, text: text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n") };
  const { bodyStart, ...front } = parseFrontmatter(source);
  const body = new BodyParser(source, splitBody(source, bodyStart)).run();
  return { source, ...front, body };
}

interface Stop {
  readonly word: string;
  readonly reader: TokenReader;
  readonly at: number;
}

class BodyParser {
  readonly #source: TemplateSource;
  readonly #pieces: readonly Piece[];
  #next = 0;

  constructor(source: TemplateSource, pieces: readonly Piece[]) {
    this.#source = source;
    this.#pieces = pieces;
  }

  run(): Node[] {
    const { nodes, stop } = this.#nodes();
    if (stop !== undefined) this.#fail(`\`${stop.word}\` has no beginning.`, stop.at);
    return nodes;
  }

  /** Nodes up to `else`, `case`, `/if` and the like. */
  #nodes(): { readonly nodes: Node[]; readonly stop?: Stop } {
    const nodes: Node[] = [];
    for (let piece = this.#take(); piece !== undefined; piece = this.#take()) {
      const at = piece.start;
      if (piece.kind === "text") nodes.push({ kind: "text", text: piece.text, at });
      else if (piece.kind === "print")
        nodes.push({ kind: "print", value: parseExpression(this.#source, piece.start, piece.end), at });
      else if (piece.kind === "comment") nodes.push({ kind: "comment", uses: this.#uses(piece), at });
      else {
        const { word, reader, at: wordAt } = this.#statement(piece);
        const node = this.#open(word, reader, wordAt);
        if (node === undefined) return { nodes, stop: { word, reader, at: wordAt } };
        nodes.push(node);
      }
    }
    return { nodes };
  }

  #take(): Piece | undefined {
    const piece = this.#pieces[this.#next];
    this.#next += 1;
    return piece;
  }

  #statement(piece: Piece): Stop {
    const found = /^\s*(\/?[a-z]+)/.exec(this.#source.text.slice(piece.start, piece.end));
    const word = found?.[1];
    if (found === null || word === undefined) this.#fail("A statement begins with a word such as `if`.", piece.start);
    const start = piece.start + found[0].length;
    return { word, reader: new TokenReader(this.#source, start, piece.end), at: start - word.length };
  }

  #open(word: string, reader: TokenReader, at: number): Node | undefined {
    switch (word) {
      case "if":
        return this.#if(reader, at);
      case "for":
        return this.#for(reader, at);
      case "match":
        return this.#match(reader, at);
      case "include":
        return this.#include(reader, at);
      case "panic": {
        reader.expect("(");
        const message = expression(reader);
        reader.expect(")");
        reader.done();
        return { kind: "panic", message, at };
      }
      case "elif":
      case "else":
      case "case":
      case "/if":
      case "/for":
      case "/match":
        return undefined;
      default:
        return this.#fail(`There is no statement \`${word}\`.`, at);
    }
  }

  #if(first: TokenReader, at: number): Node {
    const branches: Branch[] = [];
    let condition = whole(first);
    for (;;) {
      const { nodes, stop } = this.#nodes();
      branches.push({ condition, body: nodes });
      if (stop?.word === "elif") condition = whole(stop.reader);
      else if (stop?.word === "else") return { kind: "if", branches, otherwise: this.#last("/if", at), at };
      else {
        this.#closed(stop, "/if", at);
        return { kind: "if", branches, otherwise: [], at };
      }
    }
  }

  #for(reader: TokenReader, at: number): Node {
    const variable = reader.name("The name of the loop's variable");
    reader.expect("in");
    const list = whole(reader);
    const { nodes: body, stop } = this.#nodes();
    if (stop?.word === "else") return { kind: "for", variable, list, body, otherwise: this.#last("/for", at), at };
    this.#closed(stop, "/for", at);
    return { kind: "for", variable, list, body, otherwise: [], at };
  }

  #match(reader: TokenReader, at: number): Node {
    const subject = whole(reader);
    const before = this.#nodes();
    const text = before.nodes.find(
      (node) => node.kind !== "comment" && !(node.kind === "text" && node.text.trim() === ""),
    );
    if (text !== undefined) this.#fail("Nothing may stand between `match` and its first `case`.", text.at);
    let { stop } = before;
    const cases: Case[] = [];
    while (stop?.word === "case") {
      const patterns = casePatterns(stop.reader);
      const guard = stop.reader.takeIf("if") ? expression(stop.reader) : undefined;
      stop.reader.done();
      const caseAt = stop.at;
      const part = this.#nodes();
      cases.push({ patterns, body: part.nodes, at: caseAt, ...(guard === undefined ? {} : { guard }) });
      stop = part.stop;
    }
    if (stop?.word === "else") return { kind: "match", subject, cases, otherwise: this.#last("/match", at), at };
    this.#closed(stop, "/match", at);
    return { kind: "match", subject, cases, at };
  }

  #include(reader: TokenReader, at: number): Node {
    const token = reader.take();
    if (token?.kind !== "string") this.#fail("`include` needs a path in quotes.", token?.at ?? at);
    const path = unescaped(token.text, this.#source, token.at);
    if (!/^(?:\.{1,2})?\//.test(path))
      throw new TemplateError("include", "A path begins with `./`, `../` or `/`.", this.#source, token.at);
    const values: { name: string; value: Expression }[] = [];
    if (reader.takeIf("with")) {
      do {
        const name = reader.name("The name of a parameter");
        reader.expect("=");
        values.push({ name, value: expression(reader) });
      } while (reader.takeIf(","));
    }
    reader.done();
    return { kind: "include", path, values, at };
  }

  #last(word: string, at: number): readonly Node[] {
    const { nodes, stop } = this.#nodes();
    this.#closed(stop, word, at);
    return nodes;
  }

  #closed(stop: Stop | undefined, word: string, at: number): void {
    if (stop === undefined) this.#fail(`This has no \`{% ${word} %}\`.`, at);
    if (stop.word !== word) this.#fail(`\`{% ${word} %}\` is expected here.`, stop.at);
    stop.reader.done();
  }

  /** What a comment quotes counts as used; words that are no expression are only words. */
  #uses({ start, end }: Piece): Expression[] {
    const uses: Expression[] = [];
    for (const found of this.#source.text.slice(start, end).matchAll(/\{\{(.*?)\}\}/gs)) {
      const from = start + found.index + 2;
      try {
        uses.push(parseExpression(this.#source, from, from + (found[1]?.length ?? 0)));
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
      }
    }
    return uses;
  }

  #fail(reason: string, at: number): never {
    throw new TemplateError("syntax", reason, this.#source, at);
  }
}

function whole(reader: TokenReader): Expression {
  const value = expression(reader);
  reader.done();
  return value;
}

function casePatterns(reader: TokenReader): Pattern[] {
  const patterns: Pattern[] = [];
  do {
    const token = reader.take();
    if (token?.kind === "string")
      patterns.push({ kind: "value", value: unescaped(token.text, reader.source, token.at) });
    else if (token?.kind === "number") patterns.push({ kind: "value", value: Number(token.text) });
    else if (token?.kind === "name")
      patterns.push(
        token.text === "true" || token.text === "false"
          ? { kind: "value", value: token.text === "true" }
          : { kind: "variant", name: token.text },
      );
    else
      throw new TemplateError(
        "syntax",
        "A `case` needs a variant or a literal.",
        reader.source,
        token?.at ?? reader.end,
      );
  } while (reader.takeIf("|"));
  return patterns;
}
