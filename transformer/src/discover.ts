/** Finds what authors marked as tools in a source file. */
import ts from "typescript";
import type { DiagnosticSink } from "./diagnostics.js";
import { type Docs, readDocs, unreadComment } from "./docs.js";
import type { Role, ToolTarget } from "./model.js";
import { type ToolOptions, tagOptions, withDecorator } from "./site-options.js";
import { reportRoleTag } from "./tag-names.js";
import { unwrap } from "./unwrap.js";

export type CallableNode = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration;

/** A marked function or method. */
export interface ToolSite {
  readonly role: Role;
  readonly callable: CallableNode;
  /** Where the doc comment stands and messages point. */
  readonly owner: ts.FunctionDeclaration | ts.VariableDeclaration | ts.MethodDeclaration;
  readonly name: ts.Identifier | ts.StringLiteral;
  readonly docs: Docs;
  /** The statement after which the definition is attached. */
  readonly statement: ts.Statement;
  readonly target: ToolTarget;
  readonly options: ToolOptions;
}

export type MarkerName = "tool" | "toolRegistry" | "toolDefinition" | "toolDefinitions";

/** Cheap test that saves walking most files. */
export function mayHoldTools(file: ts.SourceFile): boolean {
  // Markers and calls may have other names where they are used, but somebody imports them.
  return (
    !file.isDeclarationFile &&
    (holdsMark(file) || file.text.includes("toolDefinition") || file.text.includes("@tsukumo/tool"))
  );
}

function holdsMark({ text }: ts.SourceFile): boolean {
  return /@(tool|prompt|resource)/i.test(text);
}

export function discoverTools(file: ts.SourceFile, checker: ts.TypeChecker, sink: DiagnosticSink): ToolSite[] {
  const sites: ToolSite[] = [];
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement)) functionSite(statement, checker, sites, sink);
    else if (ts.isVariableStatement(statement)) variableSite(statement, checker, sites, sink);
    else if (ts.isClassDeclaration(statement)) classSites(statement, checker, sites, sink);
  }
  if (holdsMark(file)) reportMisplaced(file, new Set(sites.map((site) => site.owner)), sink);
  return sites;
}

function functionSite(
  statement: ts.FunctionDeclaration,
  checker: ts.TypeChecker,
  sites: ToolSite[],
  sink: DiagnosticSink,
): void {
  const docs = readDocs(statement);
  const role = roleTag(docs);
  if (role === undefined) reportRoleTag(docs, sink);
  if (role === undefined || statement.body === undefined) return;
  if (statement.name === undefined) return sink.report("TSK1005", statement, "a function without a name");
  sites.push({
    role,
    callable: statement,
    owner: statement,
    name: statement.name,
    docs,
    statement,
    target: { kind: "function", functionName: statement.name.text, ...exportName(statement.name, checker) },
    options: tagOptions(docs, sink),
  });
}

function variableSite(
  statement: ts.VariableStatement,
  checker: ts.TypeChecker,
  sites: ToolSite[],
  sink: DiagnosticSink,
): void {
  const docs = readDocs(statement);
  const role = roleTag(docs);
  if (role === undefined) return reportRoleTag(docs, sink);
  for (const declaration of statement.declarationList.declarations) {
    const value = declaration.initializer === undefined ? undefined : unwrap(declaration.initializer);
    const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    if (
      value === undefined ||
      !(ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ||
      !ts.isIdentifier(declaration.name) ||
      !isConst
    ) {
      sink.report("TSK1005", declaration.name, "a variable that is not a `const` with a function");
      continue;
    }
    sites.push({
      role,
      callable: value,
      owner: declaration,
      name: declaration.name,
      docs,
      statement,
      target: { kind: "function", functionName: declaration.name.text, ...exportName(declaration.name, checker) },
      options: tagOptions(docs, sink),
    });
  }
}

function classSites(
  statement: ts.ClassDeclaration,
  checker: ts.TypeChecker,
  sites: ToolSite[],
  sink: DiagnosticSink,
): void {
  for (const member of statement.members) {
    if (!ts.isMethodDeclaration(member) || member.body === undefined) continue;
    const docs = readDocs(member);
    const decorator = decoratorNamed(member, "tool", checker);
    const unread = unreadComment(member);
    if (unread !== undefined && (decorator !== undefined || /@tool\b/.test(unread)))
      sink.report("TSK1026", member.name, `\`${member.name.getText()}\``);
    if (decorator === undefined && !hasToolTag(docs)) {
      reportRoleTag(docs, sink);
      continue;
    }
    const modifiers = ts.getCombinedModifierFlags(member);
    const hidden =
      ts.isPrivateIdentifier(member.name) || modifiers & ts.ModifierFlags.Private
        ? "private"
        : modifiers & ts.ModifierFlags.Protected
          ? "protected"
          : "";
    if (hidden !== "") {
      sink.report("TSK1016", member.name, member.name.getText(), hidden);
      continue;
    }
    if (!ts.isIdentifier(member.name) && !ts.isStringLiteral(member.name)) {
      sink.report("TSK1005", member.name, "a method with a computed name");
      continue;
    }
    if (statement.name === undefined) {
      sink.report("TSK1005", member.name, "a method of a class without a name");
      continue;
    }
    sites.push({
      role: "tool",
      callable: member,
      owner: member,
      name: member.name,
      docs,
      statement,
      target: {
        kind: "method",
        className: statement.name.text,
        methodName: member.name.text,
        ...exportName(statement.name, checker),
        generic: (statement.typeParameters?.length ?? 0) > 0,
        static: (modifiers & ts.ModifierFlags.Static) !== 0,
      },
      options: withDecorator(tagOptions(docs, sink), decorator, sink),
    });
  }
}

/** Marks on what can be no tool must not pass silently: the author would miss the tool only at run time. */
function reportMisplaced(file: ts.SourceFile, found: ReadonlySet<ts.Node>, sink: DiagnosticSink): void {
  const visit = (node: ts.Node): void => {
    if (!found.has(node) && isMarkable(node) && roleTag(readDocs(node)) !== undefined) {
      const holdsFound = ts.isVariableStatement(node) && node.declarationList.declarations.some((d) => found.has(d));
      if (!holdsFound && !isReported(node, sink)) sink.report("TSK1005", nameOf(node), misplacedKind(node));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

function isMarkable(node: ts.Node): boolean {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isVariableStatement(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isClassDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isExportAssignment(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

function isReported(node: ts.Node, sink: DiagnosticSink): boolean {
  return sink.all.some(
    (d) => d.node.getSourceFile() === node.getSourceFile() && d.node.pos >= node.pos && d.node.end <= node.end,
  );
}

function nameOf(node: ts.Node): ts.Node {
  return "name" in node && node.name !== undefined ? (ts.getNameOfDeclaration(asDeclaration(node)) ?? node) : node;
}

function asDeclaration(node: ts.Node): ts.Declaration | undefined {
  return isMarkable(node) && !ts.isVariableStatement(node) ? (node as ts.Declaration) : undefined;
}

function misplacedKind(node: ts.Node): string {
  if (ts.isFunctionLike(node) && !("body" in node && node.body !== undefined)) return "a declaration without a body";
  if (ts.isExportAssignment(node)) return "an expression without a name";
  if (ts.isFunctionDeclaration(node))
    return ts.isModuleBlock(node.parent) ? "a function in a namespace" : "a function inside another one";
  if (ts.isMethodDeclaration(node)) return "a method of an object or of a class that is not at the top level";
  if (ts.isClassDeclaration(node)) return "a class";
  if (ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)) return "a property";
  if (ts.isAccessor(node)) return "an accessor";
  if (ts.isConstructorDeclaration(node)) return "a constructor";
  if (ts.isVariableStatement(node)) return "a variable that is not a top-level `const`";
  return "a type";
}

/** What the doc comment says that a function is. */
export function roleTag(docs: Docs): Role | undefined {
  return ROLES.find((role) => docs.tags.some((tag) => tag.name === role));
}

const ROLES: readonly Role[] = ["tool", "prompt", "resource"];

/** Only tools can be methods. */
function hasToolTag(docs: Docs): boolean {
  return docs.tags.some((tag) => tag.name === "tool");
}

/** The decorator of this marker on a node, `@tool` or `@tool({…})`. */
export function decoratorNamed(
  node: ts.HasDecorators,
  name: MarkerName,
  checker: ts.TypeChecker,
): ts.Decorator | undefined {
  return ts.getDecorators(node)?.find((decorator) => {
    const { expression } = decorator;
    return isMarker(ts.isCallExpression(expression) ? expression.expression : expression, name, checker);
  });
}

/** Markers are known by their type, so that a renamed or re-exported one is recognised and a stranger's `tool` is not. */
export function isMarker(expression: ts.Expression, name: MarkerName, checker: ts.TypeChecker): boolean {
  const marker = checker.getTypeAtLocation(expression).getProperty("__marker");
  if (marker === undefined) return false;
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(marker, expression));
  return type.isStringLiteral() && type.value === name;
}

/** The name under which a module gives something away: its own, another one, or `default`. */
function exportName(name: ts.Identifier, checker: ts.TypeChecker): { readonly exportName?: string } {
  const symbol = checker.getSymbolAtLocation(name);
  const module = checker.getSymbolAtLocation(name.getSourceFile());
  if (symbol === undefined || module === undefined) return {};
  const same = (candidate: ts.Symbol): boolean =>
    candidate === symbol ||
    (candidate.flags & ts.SymbolFlags.Alias
      ? checker.getAliasedSymbol(candidate) === symbol
      : checker.getExportSymbolOfSymbol(symbol) === candidate);
  const names = checker
    .getExportsOfModule(module)
    .filter(same)
    .map((candidate) => candidate.name);
  const found = names.find((candidate) => candidate === name.text) ?? names[0];
  return found === undefined ? {} : { exportName: found };
}
