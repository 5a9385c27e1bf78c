/** Diagnostics as the terminal shows them: place, code, text, and the line with the words underlined. */
import { relative } from "node:path";
import type { CompilerDiagnostic } from "@tsukumo/transformer/compiler";

export function formatDiagnostics(diagnostics: readonly CompilerDiagnostic[]): string {
  return diagnostics.map(formatDiagnostic).join("\n\n");
}

function formatDiagnostic(diagnostic: CompilerDiagnostic): string {
  const file = diagnostic.node.getSourceFile();
  const start = diagnostic.node.getStart(file);
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  const end = file.getLineAndCharacterOfPosition(diagnostic.node.getEnd());
  const text = file.text.split(/\r?\n/)[line] ?? "";
  const width = end.line === line ? Math.max(1, end.character - character) : Math.max(1, text.length - character);
  const gutter = String(line + 1);
  const path = relative(process.cwd(), file.fileName);
  return [
    `${path}:${line + 1}:${character + 1} - ${diagnostic.severity} ${diagnostic.code}: ${diagnostic.message}`,
    `${gutter} | ${text}`,
    // Tabs are kept, so that the marks stand under the words.
    `${" ".repeat(gutter.length)} | ${text.slice(0, character).replace(/[^\t]/g, " ")}${"~".repeat(width)}`,
  ].join("\n");
}
