/** Where the templates of a tool come from: tags, options, files. */
import { dirname, isAbsolute, resolve } from "node:path";
import { type CheckedTemplate, checkTemplate, TemplateError } from "@tsukumo/template";
import ts from "typescript";
import type { DiagnosticSink } from "./diagnostics.js";
import type { DocTag } from "./docs.js";

/** What templates are given while the program is built. */
export type TemplateLiterals = Readonly<Record<string, string | number | boolean>>;

/** Text of a template, or the path of its file, and where it was named. */
export interface TemplateOption {
  readonly text?: string;
  readonly file?: string;
  readonly node: ts.Node;
}

/** The checked template; undefined where it was refused. Every file that it looks for is told to the sink. */
export function loadTemplate(
  option: TemplateOption,
  env: TemplateLiterals,
  sink: DiagnosticSink,
): CheckedTemplate | undefined {
  const source = option.node.getSourceFile().fileName;
  const read = (path: string): string | undefined => {
    sink.files.add(path);
    return ts.sys.readFile(path);
  };
  const place = (from: string, path: string): string => resolvePath(dirname(from), path);
  const file = option.file === undefined ? undefined : place(source, option.file);
  const text = file === undefined ? option.text : read(file);
  if (text === undefined) {
    sink.report("TSK1029", option.node, JSON.stringify(option.file));
    return undefined;
  }
  try {
    return checkTemplate(file === undefined ? text.trimStart() : text, file ?? `${source} (inline)`, {
      env,
      read,
      resolve: place,
    });
  } catch (error) {
    reportTemplateError(error, option.node, sink);
    return undefined;
  }
}

/** @throws what is no error of a template */
export function reportTemplateError(error: unknown, node: ts.Node, sink: DiagnosticSink): void {
  if (!(error instanceof TemplateError)) throw error;
  const { file, line, column, reason, snippet } = error;
  // The whole path would make the same message differ from machine to machine.
  const name = file.endsWith(" (inline)") ? "the inline template" : (file.split(/[\\/]/).at(-1) ?? file);
  sink.report("TSK1028", node, `${name}:${line}:${column}`, reason, snippet);
}

/** Slashes on every system, as TypeScript writes paths. */
function resolvePath(folder: string, path: string): string {
  return (isAbsolute(path) ? path : resolve(folder, path)).replaceAll("\\", "/");
}

/**
 * A tag's text with its line ends and indentation, which templates need. A fenced block is taken without its fence, and
 * what all lines are indented by is left out.
 */
export function rawTagText({ node, name }: DocTag): string {
  const file = node.getSourceFile();
  const whole = file.text.slice(node.getStart(file), node.end).replace(/\*\/\s*$/, "");
  const [first = "", ...rest] = whole.slice(name.length + 1).split(/\r\n?|\n/);
  const lines = [first.trim(), ...rest.map((line) => line.replace(/^[ \t]*\*(?!\/) ?/, ""))];
  while (lines.length > 0 && lines[0]?.trim() === "") lines.shift();
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  const fence = /^\s*(`{3,}|~{3,})/.exec(lines[0] ?? "")?.[1];
  const inside = fence !== undefined && lines.at(-1)?.trim() === fence ? lines.slice(1, -1) : lines;
  const indents = inside.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  return inside.map((line) => line.slice(indent)).join("\n");
}

/** `name=value`: a number, true, false or text. */
export function literalAssignment(text: string): readonly [string, string | number | boolean] | undefined {
  const found = /^([A-Za-z_]\w*)\s*=\s*(.*)$/s.exec(text.trim());
  const name = found?.[1];
  const value = found?.[2]?.trim();
  if (name === undefined || value === undefined) return undefined;
  if (value === "true" || value === "false") return [name, value === "true"];
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return [name, Number(value)];
  return [name, value.replace(/^(["'])(.*)\1$/s, "$2")];
}
