/** Default values that are known when the program is built. */
import ts from "typescript";
import type { Json } from "./shape.js";
import { unwrap } from "./unwrap.js";

/** The JSON value of a literal expression; undefined where it is computed at run time. */
export function constantValue(expression: ts.Expression | undefined, checker: ts.TypeChecker): Json | undefined {
  if (expression === undefined) return undefined;
  const node = unwrap(expression);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const value = constantValue(node.operand, checker);
    return typeof value === "number" ? -value : undefined;
  }
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return enumValue(node, checker);
  if (ts.isArrayLiteralExpression(node)) {
    const values: Json[] = [];
    for (const element of node.elements) {
      const value = constantValue(element, checker);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  }
  if (ts.isObjectLiteralExpression(node)) {
    const value: { [key: string]: Json } = {};
    for (const property of node.properties) {
      if (
        !ts.isPropertyAssignment(property) ||
        ts.isComputedPropertyName(property.name) ||
        ts.isPrivateIdentifier(property.name)
      )
        return undefined;
      const inner = constantValue(property.initializer, checker);
      if (inner === undefined) return undefined;
      value[property.name.text] = inner;
    }
    return value;
  }
  return undefined;
}

/** `Unit.Metre`, and nothing else that is read from an object: that may change at run time. */
function enumValue(node: ts.Expression, checker: ts.TypeChecker): Json | undefined {
  const type = checker.getTypeAtLocation(node);
  if (!(type.flags & ts.TypeFlags.EnumLiteral) || !type.isLiteral() || typeof type.value === "object") return undefined;
  return type.value;
}

/** The defaults of `{ city, days = 3 }`, by the name of the property. */
export function bindingDefaults(binding: ts.BindingName, checker: ts.TypeChecker): Map<string, Json> {
  const defaults = new Map<string, Json>();
  if (!ts.isObjectBindingPattern(binding)) return defaults;
  for (const element of binding.elements) {
    const key = element.propertyName ?? element.name;
    const value = constantValue(element.initializer, checker);
    if (value !== undefined && (ts.isIdentifier(key) || ts.isStringLiteral(key))) defaults.set(key.text, value);
  }
  return defaults;
}
