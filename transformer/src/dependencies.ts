/** Which sources a file's types may come from. */
import ts from "typescript";

/** The project's own files that this one imports, directly or not, in the order of the imports. */
export function dependenciesOf(file: ts.SourceFile, program: ts.Program): ts.SourceFile[] {
  const found = new Set<ts.SourceFile>();
  const visit = (from: ts.SourceFile): void => {
    for (const statement of from.statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      const { moduleSpecifier } = statement;
      if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) continue;
      const target = resolved(moduleSpecifier.text, from, program);
      if (target === undefined || target === file || found.has(target) || target.fileName.includes("/node_modules/"))
        continue;
      found.add(target);
      visit(target);
    }
  };
  visit(file);
  return [...found];
}

function resolved(specifier: string, from: ts.SourceFile, program: ts.Program): ts.SourceFile | undefined {
  const { resolvedModule } = ts.resolveModuleName(specifier, from.fileName, program.getCompilerOptions(), ts.sys);
  return resolvedModule === undefined ? undefined : program.getSourceFile(resolvedModule.resolvedFileName);
}
