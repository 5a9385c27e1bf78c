/** Each code has a smallest program under fixtures/diagnostics, with what is told of it beside it. */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { type CompilerDiagnostic, DiagnosticSink, RULES } from "../src/diagnostics.js";
import type { CompilerOptions } from "../src/options.js";
import { transformFile } from "../src/transform.js";
import { compileSource } from "./compile-source.js";

const FOLDER = new URL("../../fixtures/diagnostics/", import.meta.url);
/** Told by `gen`, which needs to import the function; the CLI's tests show it. */
const BY_GEN = new Set(["TSK1018"]);

function place({ node, code, severity, message }: CompilerDiagnostic): string {
  const file = node.getSourceFile();
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return `${line + 1}:${character + 1} ${severity} ${code}: ${message}`;
}

/** Options that a diagnostic needs to be told at all. */
const OPTIONS: Readonly<Record<string, CompilerOptions>> = { TSK1024: { dialects: ["openai-strict"] } };

function diagnose(text: string, options: CompilerOptions = {}): string {
  const { program, file } = compileSource(text);
  const sink = new DiagnosticSink();
  ts.transform(file, [
    (context) => (source) => transformFile(source, program.getTypeChecker(), context, sink, options),
  ]);
  return `${sink.all.map(place).join("\n")}\n`;
}

describe("diagnostics", () => {
  it.each(Object.keys(RULES).filter((code) => !BY_GEN.has(code)))("%s is told at its place", async (code) => {
    const told = diagnose(readFileSync(new URL(`${code}.ts`, FOLDER), "utf8"), OPTIONS[code]);
    expect(told).toContain(code);
    await expect(told).toMatchFileSnapshot(new URL(`${code}.txt`, FOLDER).pathname);
  });

  it("has a program for every code and a code for every program", () => {
    const programs = readdirSync(FOLDER)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => name.slice(0, -3));
    expect(programs.sort()).toEqual(Object.keys(RULES).sort());
  });

  it("lists every code in the docs", () => {
    const page = readFileSync(new URL("../../docs/diagnostics.md", import.meta.url), "utf8");
    for (const [code, { severity }] of Object.entries(RULES))
      expect(page).toMatch(new RegExp(`\\| ${code} +\\| ${severity} +\\|`));
  });
});

it("missing documentation is an error in strict mode", () => {
  const { sink } = compileSource("/** @tool */\nexport function greet(name: string): string { return name; }", {
    strict: true,
  });
  expect(sink.all.map((d) => `${d.severity} ${d.code}`)).toEqual(["error TSK1010", "error TSK1011"]);
});
