/** The code that is put after a marked function or class, as JavaScript text. */
import type ts from "typescript";
import { printBlueprint } from "./blueprint.js";
import { ATTACH, access, type CodeStyle, literal, RUNTIME } from "./code.js";
import type { CompiledTool } from "./compile.js";

const JAVASCRIPT: CodeStyle = { typescript: false };

/** What is put after a statement: `attach(getWeather, …)`, or `attachMethods(App, { … })`. */
export function attachments(tools: readonly CompiledTool[]): Map<ts.Statement, string> {
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
    switch (target.kind) {
      case "function":
        lines.push(
          `${RUNTIME}.${ATTACH[model.role]}(${target.functionName}, ${printBlueprint(model, target.functionName, JAVASCRIPT)});`,
        );
        break;
      case "method": {
        className = target.className;
        const callee = access(target.static ? target.className : "$_s", target.methodName);
        methods.push(`[${literal(target.methodName)}, ${printBlueprint(model, callee, JAVASCRIPT)}]`);
        break;
      }
      case "value":
        throw new Error("A function without a mark has its definition at the call.");
    }
  }
  if (methods.length > 0) lines.push(`${RUNTIME}.attachMethods(${className}, [${methods.join(", ")}]);`);
  return lines.join("\n");
}
