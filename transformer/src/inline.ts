/** `toolDefinition(f)` of a function that carries no mark: its definition is made on the spot. */
import ts from "typescript";
import { type AnalysisScope, analyseTool } from "./analyse.js";
import { printBlueprint } from "./blueprint.js";
import { RUNTIME } from "./code.js";
import { isMarker, roleTag, type ToolSite } from "./discover.js";
import { readDocs } from "./docs.js";
import { unwrap } from "./unwrap.js";

/** By call: the text of a call that lacks its last argument, the function itself. */
export function inlineDefinitions(file: ts.SourceFile, scope: AnalysisScope): Map<ts.Node, string> {
  const found = new Map<ts.Node, string>();
  if (!file.text.includes("toolDefinition") && !file.text.includes("@tsukumo/tool")) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isMarker(node.expression, "toolDefinition", scope.checker)) {
      const text = inlineText(node, scope);
      if (text !== undefined) found.set(node, text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function inlineText(call: ts.CallExpression, scope: AnalysisScope): string | undefined {
  const argument = call.arguments[0];
  if (argument === undefined) return undefined;
  const site = unmarkedSite(unwrap(argument), scope);
  const model = site === undefined ? undefined : analyseTool(site, scope);
  return model === undefined
    ? undefined
    : `${RUNTIME}.definition(${printBlueprint(model, "$_s", { typescript: false })})`;
}

/** Undefined for marked functions: their own file attaches the definition. */
function unmarkedSite(argument: ts.Expression, { checker, sink }: AnalysisScope): ToolSite | undefined {
  const found = checker.getSymbolAtLocation(argument);
  const symbol = found !== undefined && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
  const declaration = symbol?.declarations?.find((d) => ts.isFunctionDeclaration(d) || ts.isVariableDeclaration(d));
  const parts = declaration === undefined ? undefined : partsOf(declaration);
  if (parts === undefined) {
    sink.report("TSK1020", argument, `\`${argument.getText()}\``);
    return undefined;
  }
  const docs = readDocs(parts.statement);
  if (roleTag(docs) !== undefined) return undefined;
  return { role: "tool", ...parts, docs, target: { kind: "value", functionName: parts.name.text }, options: {} };
}

function partsOf(declaration: ts.Declaration): Pick<ToolSite, "callable" | "owner" | "name" | "statement"> | undefined {
  if (ts.isFunctionDeclaration(declaration)) {
    const { name } = declaration;
    return name === undefined ? undefined : { callable: declaration, owner: declaration, name, statement: declaration };
  }
  if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) return undefined;
  const value = declaration.initializer === undefined ? undefined : unwrap(declaration.initializer);
  const statement = declaration.parent.parent;
  if (value === undefined || !(ts.isArrowFunction(value) || ts.isFunctionExpression(value))) return undefined;
  return ts.isVariableStatement(statement)
    ? { callable: value, owner: declaration, name: declaration.name, statement }
    : undefined;
}
