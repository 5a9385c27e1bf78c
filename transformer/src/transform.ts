/** Puts definitions beside the functions and classes that they belong to, and takes the decorators away. */
import ts from "typescript";
import { analyseTool } from "./analyse.js";
import { printBlueprint } from "./blueprint.js";
import { type CodeStyle, literal, quote, RUNTIME, RUNTIME_MODULE } from "./code.js";
import { type CompiledTool, compileFile } from "./compile.js";
import type { DiagnosticSink } from "./diagnostics.js";
import { decoratorNamed, isMarker, mayHoldTools, type ToolSite, unwrap } from "./discover.js";
import { readDocs } from "./docs.js";
import { parseStatements } from "./text-to-nodes.js";

const JAVASCRIPT: CodeStyle = { typescript: false };

/** The file with its definitions; the same file where it has none. */
export function transformFile(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  context: ts.TransformationContext,
  sink: DiagnosticSink,
): ts.SourceFile {
  if (!mayHoldTools(file)) return file;
  const tools = compileFile(file, checker, sink);
  const after = attachments(tools);
  const inline = inlineDefinitions(file, checker, sink);
  if (after.size === 0 && inline.size === 0) return file;

  const visit = (node: ts.Node): ts.Node => {
    const text = inline.get(node);
    if (text !== undefined) return expressionOf(text, context);
    return ts.visitEachChild(withoutMarkers(node, checker), visit, context);
  };
  const statements = file.statements.flatMap((statement) => {
    const visited = ts.visitNode(statement, visit, ts.isStatement);
    const text = after.get(statement);
    return text === undefined ? [visited] : [visited, ...parseStatements(text, context)];
  });
  const firstCode = statements.findIndex((s) => !(ts.isExpressionStatement(s) && ts.isStringLiteral(s.expression)));
  const at = firstCode === -1 ? 0 : firstCode;
  return ts.factory.updateSourceFile(file, [...statements.slice(0, at), runtimeImport(), ...statements.slice(at)]);
}

/** What is put after a statement: `attach(getWeather, …)`, or `attachMethods(App, { … })`. */
function attachments(tools: readonly CompiledTool[]): Map<ts.Statement, string> {
  const byStatement = new Map<ts.Statement, CompiledTool[]>();
  for (const tool of tools) {
    const list = byStatement.get(tool.site.statement) ?? [];
    list.push(tool);
    byStatement.set(tool.site.statement, list);
  }
  const texts = new Map<ts.Statement, string>();
  for (const [statement, list] of byStatement) texts.set(statement, attachText(list));
  return texts;
}

function attachText(tools: readonly CompiledTool[]): string {
  const methods: string[] = [];
  const lines: string[] = [];
  let className = "";
  for (const { model } of tools) {
    const { target } = model;
    if (target.kind === "function") {
      lines.push(
        `${RUNTIME}.attach(${target.functionName}, ${printBlueprint(model, target.functionName, JAVASCRIPT)});`,
      );
    } else {
      className = target.className;
      const callee = `${target.static ? target.className : "s"}[${quote(target.methodName)}]`;
      methods.push(`[${literal(target.methodName)}, ${printBlueprint(model, callee, JAVASCRIPT)}]`);
    }
  }
  if (methods.length > 0) lines.push(`${RUNTIME}.attachMethods(${className}, [${methods.join(", ")}]);`);
  return lines.join("\n");
}

/** `toolDefinition(f)` of a function that carries no mark: its definition is made on the spot. */
function inlineDefinitions(file: ts.SourceFile, checker: ts.TypeChecker, sink: DiagnosticSink): Map<ts.Node, string> {
  const found = new Map<ts.Node, string>();
  if (!file.text.includes("toolDefinition")) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isMarker(node.expression, "toolDefinition", checker)) {
      const text = inlineText(node, checker, sink);
      if (text !== undefined) found.set(node, text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function inlineText(call: ts.CallExpression, checker: ts.TypeChecker, sink: DiagnosticSink): string | undefined {
  const argument = call.arguments[0];
  if (argument === undefined) return undefined;
  const site = unmarkedSite(unwrap(argument), checker, sink);
  if (site === undefined) return undefined;
  const model = analyseTool(site, { checker, sink });
  if (model === undefined) return undefined;
  const callee = argument.getText();
  return `${RUNTIME}.definition(${printBlueprint(model, callee, JAVASCRIPT)})`;
}

/** Undefined for marked functions: their own file attaches the definition. */
function unmarkedSite(argument: ts.Expression, checker: ts.TypeChecker, sink: DiagnosticSink): ToolSite | undefined {
  const found = checker.getSymbolAtLocation(argument);
  const symbol = found !== undefined && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
  const declaration = symbol?.declarations?.find((d) => ts.isFunctionDeclaration(d) || ts.isVariableDeclaration(d));
  const refused = (): undefined => sink.report("TSK1020", argument, `\`${argument.getText()}\``) as undefined;
  if (declaration === undefined) return refused();
  if (ts.isFunctionDeclaration(declaration) && declaration.name !== undefined) {
    const docs = readDocs(declaration);
    if (docs.tags.some((tag) => tag.name === "tool")) return undefined;
    return {
      callable: declaration,
      owner: declaration,
      name: declaration.name,
      docs,
      statement: declaration,
      target: { kind: "function", functionName: declaration.name.text, exported: true },
      options: {},
    };
  }
  if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) return refused();
  const value = declaration.initializer === undefined ? undefined : unwrap(declaration.initializer);
  const statement = declaration.parent.parent;
  if (
    value === undefined ||
    !(ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ||
    !ts.isVariableStatement(statement)
  )
    return refused();
  const docs = readDocs(statement);
  if (docs.tags.some((tag) => tag.name === "tool")) return undefined;
  return {
    callable: value,
    owner: declaration,
    name: declaration.name,
    docs,
    statement,
    target: { kind: "function", functionName: declaration.name.text, exported: true },
    options: {},
  };
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

function runtimeImport(): ts.ImportDeclaration {
  const { factory } = ts;
  // A namespace import keeps its local name in CommonJS output; named ones would need a symbol to be rewritten.
  const clause = factory.createImportClause(
    undefined,
    undefined,
    factory.createNamespaceImport(factory.createIdentifier(RUNTIME)),
  );
  return factory.createImportDeclaration(undefined, clause, factory.createStringLiteral(RUNTIME_MODULE));
}

function expressionOf(text: string, context: ts.TransformationContext): ts.Expression {
  const [statement] = parseStatements(`(${text});`, context);
  if (statement !== undefined && ts.isExpressionStatement(statement)) return statement.expression;
  throw new Error("A printed expression parses as one.");
}
