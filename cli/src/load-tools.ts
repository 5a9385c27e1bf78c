/**
 * Runs a tool folder: builds it with the transformer into the package's own cache, where its imports resolve as in the
 * source, and imports what came out.
 */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type PromptDefinition,
  promptDefinitions,
  type ResourceDefinition,
  resourceDefinitions,
  type ToolDefinition,
  ToolRegistry,
  toolDefinitions,
} from "@tsukumo/tool";
import { type CompiledTool, DiagnosticSink, transformFile, ts } from "@tsukumo/transformer/compiler";
import { compileProject, type FileTools, reportDiagnostics } from "./compile-project.js";
import { CliError } from "./failure.js";
import type { ToolProject } from "./project.js";

/** Everything that a project marks. */
export interface LoadedProject {
  readonly registry: ToolRegistry;
  readonly prompts: readonly PromptDefinition[];
  readonly resources: readonly ResourceDefinition[];
}

/** A registry of every tool of the project. @throws {CliError} */
export async function loadTools(project: ToolProject): Promise<ToolRegistry> {
  return (await loadMarked(project)).registry;
}

/** Every tool, prompt and resource of the project. @throws {CliError} */
export async function loadMarked(project: ToolProject): Promise<LoadedProject> {
  const compiled = compileProject(project);
  if (compiled.length === 0)
    throw new CliError(`No tool was found in ${project.directory}. Mark a function with @tool in its doc comment.`);
  const output = outputFolder(project);
  rmSync(output, { recursive: true, force: true });
  try {
    const emitted = emit(project, output);
    const definitions: ToolDefinition[] = [];
    const prompts: PromptDefinition[] = [];
    const resources: ResourceDefinition[] = [];
    for (const entry of compiled) {
      const module = await importEmitted(entry, emitted);
      definitions.push(...toolsOf(entry, module));
      prompts.push(...promptDefinitions(module));
      resources.push(...resourceDefinitions(module));
    }
    return { registry: ToolRegistry.of(...definitions), prompts, resources };
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

function outputFolder(project: ToolProject): string {
  const id = createHash("sha256").update(project.directory).update(String(process.pid)).digest("hex").slice(0, 12);
  return join(project.packageDirectory, "node_modules", ".cache", "tsukumo", id);
}

/** Where each source file's JavaScript was written. */
type Emitted = ReadonlyMap<string, string>;

function emit(project: ToolProject, output: string): Emitted {
  const { program } = project;
  const sink = new DiagnosticSink(project.options);
  const sources = program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && !program.isSourceFileFromExternalLibrary(file));
  const root = commonFolder(sources.map((file) => dirname(file.fileName)));
  const emitted = new Map(
    sources.map((file) => [file.fileName, join(output, relative(root, file.fileName)).replace(/\.[cm]?tsx?$/, ".mjs")]),
  );
  const options = program.getCompilerOptions();
  const before: ts.TransformerFactory<ts.SourceFile> = (context) => (file) => {
    const transformed = transformFile(file, program.getTypeChecker(), context, sink, project.options);
    return ts.visitEachChild(transformed, (node) => withResolvedImport(node, file.fileName, program, emitted), context);
  };
  mkdirSync(output, { recursive: true });
  for (const file of sources) {
    const target = emitted.get(file.fileName);
    if (target === undefined) continue;
    const text = printModule(file, before, options);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  reportDiagnostics(sink, false);
  return emitted;
}

/** One file's JavaScript as an ES module, whatever module format the project has. */
function printModule(
  file: ts.SourceFile,
  before: ts.TransformerFactory<ts.SourceFile>,
  options: ts.CompilerOptions,
): string {
  const { transformed } = ts.transform(file, [before], options);
  const [result] = transformed;
  if (result === undefined) throw new CliError(`${file.fileName} could not be transformed.`);
  const text = ts.createPrinter().printFile(result);
  return ts.transpileModule(text, {
    fileName: file.fileName,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      ...(options.experimentalDecorators === undefined
        ? {}
        : { experimentalDecorators: options.experimentalDecorators }),
      ...(options.jsx === undefined ? {} : { jsx: options.jsx }),
      ...(options.jsxImportSource === undefined ? {} : { jsxImportSource: options.jsxImportSource }),
    },
  }).outputText;
}

/** Imports of other sources go to their emitted files; tsukumo's own packages to this command's copy where the project has none. */
function withResolvedImport(node: ts.Node, from: string, program: ts.Program, emitted: Emitted): ts.Node {
  const { factory } = ts;
  const isImport = ts.isImportDeclaration(node);
  if (!isImport && !ts.isExportDeclaration(node)) return node;
  if (node.moduleSpecifier === undefined || !ts.isStringLiteral(node.moduleSpecifier)) return node;
  const target = resolveSpecifier(node.moduleSpecifier.text, from, program, emitted);
  if (target === undefined) return node;
  const specifier = factory.createStringLiteral(target);
  return isImport
    ? factory.updateImportDeclaration(node, node.modifiers, node.importClause, specifier, node.attributes)
    : factory.updateExportDeclaration(
        node,
        node.modifiers,
        node.isTypeOnly,
        node.exportClause,
        specifier,
        node.attributes,
      );
}

function resolveSpecifier(specifier: string, from: string, program: ts.Program, emitted: Emitted): string | undefined {
  if (/^@tsukumo\/(tool|mcp)($|\/)/.test(specifier)) return ownPackage(specifier, from);
  const found = ts.resolveModuleName(specifier, from, program.getCompilerOptions(), ts.sys).resolvedModule
    ?.resolvedFileName;
  const target = found === undefined ? undefined : emitted.get(resolve(found));
  return target === undefined ? undefined : pathToFileURL(target).href;
}

/** One copy of the contract for the whole run, so that contexts and extensions are the same objects everywhere. */
function ownPackage(specifier: string, from: string): string | undefined {
  try {
    return import.meta.resolve(specifier);
  } catch {
    return pathToFileURL(createRequire(from).resolve(specifier)).href;
  }
}

function commonFolder(folders: readonly string[]): string {
  let [common = ""] = folders;
  for (const folder of folders) while (folder !== common && !folder.startsWith(`${common}/`)) common = dirname(common);
  return common;
}

async function importEmitted({ file }: FileTools, emitted: Emitted): Promise<Record<string, unknown>> {
  const path = emitted.get(file.fileName);
  if (path === undefined) throw new CliError(`${file.fileName} was not built.`);
  return importModule(path, file.fileName);
}

function toolsOf({ file, tools }: FileTools, module: Record<string, unknown>): ToolDefinition[] {
  const definitions: ToolDefinition[] = [];
  if (tools.some(({ model }) => model.role === "tool" && model.target.kind === "function"))
    definitions.push(...toolDefinitions({ ...module }));
  for (const className of classNames(tools)) definitions.push(...toolDefinitions(instanceOf(className, module, file)));
  return definitions;
}

async function importModule(path: string, source: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    throw new CliError(`${source} could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

function classNames(tools: readonly CompiledTool[]): Set<string> {
  return new Set(tools.flatMap(({ model }) => (model.target.kind === "method" ? [model.target.className] : [])));
}

/** An exported instance, or a new one where the constructor wants nothing. */
function instanceOf(className: string, module: Record<string, unknown>, file: ts.SourceFile): object {
  const Class = module[className];
  if (typeof Class !== "function")
    throw new CliError(`The class ${className} of ${file.fileName} is not exported. Export it, or an instance of it.`);
  for (const value of Object.values(module))
    if (typeof value === "object" && value !== null && value instanceof Class) return value;
  if (Class.length > 0) {
    throw new CliError(
      `The constructor of ${className} in ${file.fileName} takes arguments. Export an instance: \`export const app = new ${className}(…)\`.`,
    );
  }
  return Reflect.construct(Class, []);
}
