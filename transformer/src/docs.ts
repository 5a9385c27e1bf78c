/** What authors write in doc comments: descriptions, parameters, tags. */
import ts from "typescript";

export interface DocTag {
  readonly name: string;
  readonly text: string;
  readonly node: ts.Node;
}

export interface Docs {
  /** The comment without its tags; empty where there is none. */
  readonly description: string;
  readonly tags: readonly DocTag[];
}

/** The doc comment right above a declaration (of a variable: above its statement), or in front of a parameter. */
export function readDocs(node: ts.Node): Docs {
  const blocks = docBlocks(node);
  const block = blocks.at(-1);
  if (block === undefined) return { description: "", tags: [] };
  return {
    description: commentText(block.comment),
    tags: (block.tags ?? []).map((tag) => ({ name: tag.tagName.text, text: tagText(tag), node: tag })),
  };
}

/** Descriptions by parameter name; dotted names (`options.limit`) are kept as they are. */
export function readParamDocs(node: ts.Node): Map<string, { readonly text: string; readonly node: ts.Node }> {
  const params = new Map<string, { text: string; node: ts.Node }>();
  const visit = (tags: readonly ts.JSDocTag[]): void => {
    for (const tag of tags) {
      if (!ts.isJSDocParameterTag(tag)) continue;
      const text = commentText(tag.comment).replace(/^-\s+/, "");
      params.set(tag.name.getText(), { text, node: tag.name });
      const nested = tag.typeExpression?.type;
      if (nested !== undefined && ts.isJSDocTypeLiteral(nested)) visit([...(nested.jsDocPropertyTags ?? [])]);
    }
  };
  for (const block of docBlocks(node)) visit(block.tags ?? []);
  return params;
}

/** The text of a property's or an enum member's doc comment, from its symbol. */
export function symbolDocs(symbol: ts.Symbol, checker: ts.TypeChecker): Docs {
  const declaration = symbol.declarations?.[0];
  const description = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  const tags = symbol.getJsDocTags(checker).map((tag) => ({
    name: tag.name,
    text: ts.displayPartsToString(tag.text).trim(),
    node: declaration,
  }));
  return {
    description,
    tags: tags.flatMap((tag) => (tag.node === undefined ? [] : [{ ...tag, node: tag.node }])),
  };
}

/** A doc comment on the line of the opening brace belongs, to TypeScript, to the brace. */
export function unreadComment(declaration: ts.Node): string | undefined {
  const trivia = declaration.getFullText().slice(0, declaration.getStart() - declaration.getFullStart());
  return trivia.includes("/**") && ts.getJSDocCommentsAndTags(declaration).length === 0 ? trivia : undefined;
}

function docBlocks(node: ts.Node): ts.JSDoc[] {
  return ts.getJSDocCommentsAndTags(node).filter((entry): entry is ts.JSDoc => ts.isJSDoc(entry) && owns(node, entry));
}

/** TypeScript also gives a parameter the comment of its function; that one is not the parameter's own. */
function owns(node: ts.Node, block: ts.JSDoc): boolean {
  return !ts.isParameter(node) || block.parent === node;
}

function tagText(tag: ts.JSDocTag): string {
  const text = commentText(tag.comment);
  // `@type {int}` and `@throws {Error}` keep their type outside the comment.
  if (text !== "" || !("typeExpression" in tag)) return text;
  const type = tag.typeExpression;
  return typeof type === "object" && type !== null && "getText" in type && typeof type.getText === "function"
    ? String(type.getText()).trim()
    : "";
}

function commentText(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  return (ts.getTextOfJSDocComment(comment) ?? "").replace(/\r\n?/g, "\n").trim();
}
