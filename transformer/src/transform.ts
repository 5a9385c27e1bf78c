/** Puts definitions beside the functions and classes that they belong to, and takes the decorators away. */
import ts from "typescript";
import { attachments } from "./attachments.js";
import { FILTERS, FILTERS_MODULE, RUNTIME, RUNTIME_MODULE } from "./code.js";
import { compileFile } from "./compile.js";
import type { DiagnosticSink } from "./diagnostics.js";
import { decoratorNamed, mayHoldTools } from "./discover.js";
import { inlineDefinitions } from "./inline.js";
import type { CompilerOptions } from "./options.js";
import { parseStatements } from "./text-to-nodes.js";

/** The file with its definitions; the same file where it has none. */
export function transformFile(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  context: ts.TransformationContext,
  sink: DiagnosticSink,
  options: CompilerOptions = {},
): ts.SourceFile {
  if (!mayHoldTools(file)) return file;
  const tools = compileFile(file, checker, sink, options);
  const after = attachments(tools);
  const inline = inlineDefinitions(file, { checker, sink, options });
  if (after.size === 0 && inline.size === 0) return file;

  const visit = (node: ts.Node): ts.Node => {
    const text = inline.get(node);
    if (text !== undefined && ts.isCallExpression(node)) return inlinedCall(text, node, context);
    return ts.visitEachChild(withoutMarkers(node, checker), visit, context);
  };
  const statements = file.statements.flatMap((statement) => {
    const visited = ts.visitNode(statement, visit, ts.isStatement);
    const text = after.get(statement);
    return text === undefined ? [visited] : [visited, ...parseStatements(text, context)];
  });
  const firstCode = statements.findIndex((s) => !(ts.isExpressionStatement(s) && ts.isStringLiteral(s.expression)));
  const at = firstCode === -1 ? 0 : firstCode;
  return ts.factory.updateSourceFile(file, [
    ...statements.slice(0, at),
    namespaceImport(RUNTIME, RUNTIME_MODULE),
    ...(tools.some(({ model }) => model.response !== undefined) ? [namespaceImport(FILTERS, FILTERS_MODULE)] : []),
    ...statements.slice(at),
  ]);
}

/** A class or method without the decorators that have been read. */
function withoutMarkers(node: ts.Node, checker: ts.TypeChecker): ts.Node {
  const { factory } = ts;
  if (!ts.isClassDeclaration(node) && !ts.isMethodDeclaration(node)) return node;
  const marker = decoratorNamed(node, ts.isClassDeclaration(node) ? "toolRegistry" : "tool", checker);
  if (marker === undefined) return node;
  const modifiers = node.modifiers?.filter((modifier) => modifier !== marker);
  return ts.isClassDeclaration(node)
    ? factory.updateClassDeclaration(
        node,
        modifiers,
        node.name,
        node.typeParameters,
        node.heritageClauses,
        node.members,
      )
    : factory.updateMethodDeclaration(
        node,
        modifiers,
        node.asteriskToken,
        node.name,
        node.questionToken,
        node.typeParameters,
        node.parameters,
        node.type,
        node.body,
      );
}

function namespaceImport(name: string, module: string): ts.ImportDeclaration {
  const { factory } = ts;
  // A namespace import keeps its local name in CommonJS output; named ones would need a symbol to be rewritten.
  const clause = factory.createImportClause(
    undefined,
    undefined,
    factory.createNamespaceImport(factory.createIdentifier(name)),
  );
  return factory.createImportDeclaration(undefined, clause, factory.createStringLiteral(module));
}

/** The printed call with the author's own expression as its last argument: only that one is known to the checker. */
function inlinedCall(text: string, original: ts.CallExpression, context: ts.TransformationContext): ts.Expression {
  const [statement] = parseStatements(`${text};`, context);
  if (statement === undefined || !ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) {
    throw new Error("A printed definition parses as a call.");
  }
  const call = statement.expression;
  return ts.factory.createCallExpression(call.expression, undefined, [
    ...call.arguments,
    ...original.arguments.slice(0, 1),
  ]);
}
