/**
 * Printed code -> statements that can be put into another file's tree. Positions of the parsed text would make
 * TypeScript look for the words in the wrong file, so every node is made anew without them.
 */
import ts from "typescript";

export function parseStatements(text: string, context: ts.TransformationContext): ts.Statement[] {
  const parsed = ts.createSourceFile("emitted.js", text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS);
  return parsed.statements.map((statement) => detach(statement, context));
}

function detach<T extends ts.Node>(node: T, context: ts.TransformationContext): T {
  // Tokens are visited too: `=>` with a position in the printed text would bring along what stands there in the file.
  const visit = (inner: ts.Node): ts.Node => {
    const leaf = copyLeaf(inner);
    return strip(ts.visitEachChild(leaf, visit, context, undefined, visit) ?? leaf);
  };
  const result = visit(node);
  if (result.kind !== node.kind) throw new Error("A detached node keeps its kind.");
  return result as T;
}

/** Tokens and literals keep their text in themselves only when they are synthesised. */
function copyLeaf(node: ts.Node): ts.Node {
  const { factory } = ts;
  if (ts.isIdentifier(node)) return factory.createIdentifier(node.text);
  if (ts.isStringLiteral(node)) return factory.createStringLiteral(node.text);
  if (ts.isNumericLiteral(node)) return factory.createNumericLiteral(node.text);
  if (ts.isRegularExpressionLiteral(node)) return factory.createRegularExpressionLiteral(node.text);
  return node;
}

/**
 * Leaves no way back to the parsed text: by `original` or a missing flag, TypeScript would ask its checker about nodes
 * that the program does not know, and copy comments from the same positions in the wrong file.
 */
function strip(node: ts.Node): ts.Node {
  const flags = node.flags | ts.NodeFlags.Synthesized;
  Object.assign(node, { pos: -1, end: -1, flags, original: undefined, parent: undefined });
  for (const value of Object.values(node)) {
    if (Array.isArray(value) && "pos" in value && "end" in value) Object.assign(value, { pos: -1, end: -1 });
  }
  return node;
}
