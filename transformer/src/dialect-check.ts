/** Says at its node which type a provider's dialect cannot express. */
import { DEFAULT_DIALECTS, DIALECTS, toDialect } from "@tsukumo/tool/dialects";
import ts from "typescript";
import type { AnalysisScope } from "./analyse.js";
import type { ToolSite } from "./discover.js";
import type { ToolModel } from "./model.js";
import { schemaOf } from "./schema.js";

export function checkDialects(model: ToolModel, site: ToolSite, { checker, sink, options }: AnalysisScope): void {
  if (model.role !== "tool") return;
  const schema = schemaOf(model.input, model.definitions);
  for (const dialect of options.dialects ?? DEFAULT_DIALECTS) {
    for (const { path, message } of toDialect(schema, dialect).problems) {
      const code = options.dialects === undefined ? "TSK1023" : "TSK1024";
      sink.report(code, nodeAt(path, model, site, checker), shownPath(path, model), DIALECTS[dialect].label, message);
    }
  }
}

function shownPath(path: string, model: ToolModel): string {
  const name = path.replace(/^\$input\.?/, "");
  return name === "" ? `the arguments of \`${model.name}\`` : `\`${name}\``;
}

/** The declaration that a path of the arguments object leads to, as far as the author's own code goes. */
function nodeAt(path: string, model: ToolModel, site: ToolSite, checker: ts.TypeChecker): ts.Node {
  const steps = path.split(/\.|(?=\[\])/).slice(1);
  const whole = model.parameters.find((parameter) => parameter.kind === "object");
  const first =
    whole ??
    model.parameters.find(
      (parameter) => parameter.kind !== "context" && parameter.kind !== "object" && parameter.name === steps[0],
    );
  const declared =
    first === undefined ? undefined : site.callable.parameters.filter((p) => p.name.getText() !== "this")[first.index];
  if (declared === undefined) return site.name;
  let node: ts.Node = declared.type ?? declared.name;
  let type = checker.getTypeAtLocation(declared);
  for (const step of whole === undefined ? steps.slice(1) : steps) {
    const next = inner(checker.getNonNullableType(type), step, checker);
    if (next === undefined) break;
    type = next.type;
    if (next.node !== undefined && !next.node.getSourceFile().isDeclarationFile) node = next.node;
  }
  return node;
}

function inner(type: ts.Type, step: string, checker: ts.TypeChecker): { type: ts.Type; node?: ts.Node } | undefined {
  for (const member of type.isUnion() ? type.types : [type]) {
    if (step === "[]") {
      const element =
        checker.getIndexTypeOfType(member, ts.IndexKind.Number) ??
        checker.getIndexTypeOfType(member, ts.IndexKind.String);
      if (element !== undefined) return { type: element };
      continue;
    }
    const property = checker.getPropertyOfType(member, step);
    const node = property?.declarations?.[0];
    if (property !== undefined && node !== undefined)
      return { type: checker.getTypeOfSymbolAtLocation(property, node), node };
  }
  return undefined;
}
