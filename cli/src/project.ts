/** A tool file or folder as a TypeScript program, through ts-morph. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CompilerOptions } from "@tsukumo/transformer/compiler";
import { ts as bundled, Project } from "ts-morph";
import ts from "typescript";
import { CliError } from "./failure.js";

export interface ToolProject {
  readonly program: ts.Program;
  /** The files to look for tools in, sorted by path. */
  readonly files: readonly ts.SourceFile[];
  /** The folder that was named, or the one of the file that was named. */
  readonly directory: string;
  /** What the project's tsconfig tells the transformer, so that the command makes the same of it. */
  readonly options: CompilerOptions;
  /** The folder of the nearest package.json. */
  readonly packageDirectory: string;
}

/** @throws {CliError} where the path does not exist or holds no TypeScript */
export function loadProject(path: string): ToolProject {
  return new ProjectLoader(path).load();
}

/** Loads a project again and again; what has not changed on the disk is the same object as before. */
export class ProjectLoader {
  readonly #path: string;
  readonly #directory: string;
  readonly #config: string | undefined;
  readonly #project: Project;

  constructor(path: string) {
    assertSameCompiler();
    this.#path = resolve(path);
    if (!existsSync(this.#path)) throw new CliError(`There is no file or folder ${path}.`);
    this.#directory = statSync(this.#path).isDirectory() ? this.#path : dirname(this.#path);
    this.#config = nearest(this.#directory, "tsconfig.json");
    this.#project = new Project({ ...compilerSettings(this.#config), skipAddingFilesFromTsConfig: true });
  }

  /** @throws {CliError} where the path holds no TypeScript */
  load(): ToolProject {
    for (const file of this.#project.getSourceFiles()) file.refreshFromFileSystemSync();
    const paths = this.#directory === this.#path ? sourceFiles(this.#path) : [this.#path];
    if (paths.length === 0) throw new CliError(`The folder ${this.#path} holds no TypeScript files.`);
    this.#project.addSourceFilesAtPaths(paths);
    // ts-morph ships its own copy of the same compiler version; its program is the other copy's in all but name.
    const program = this.#project.getProgram().compilerObject as unknown as ts.Program;
    return {
      program,
      files: paths.flatMap((file) => program.getSourceFile(file) ?? []),
      directory: this.#directory,
      packageDirectory: nearest(this.#directory, "package.json") ?? this.#directory,
      options: pluginOptions(this.#config),
    };
  }
}

/** Kinds and flags are numbers that change between versions; within one minor version they are the same. */
function assertSameCompiler(): void {
  const minor = (version: string): string => version.split(".").slice(0, 2).join(".");
  if (minor(bundled.version) === minor(ts.version)) return;
  throw new CliError(
    `The tsukumo command needs TypeScript ${minor(bundled.version)}, and found ${ts.version}. Install the tsukumo package again, without overrides of typescript.`,
  );
}

function compilerSettings(config: string | undefined): ConstructorParameters<typeof Project>[0] {
  const overrides = { noEmit: false, declaration: false, composite: false, incremental: false, noEmitOnError: false };
  if (config !== undefined) return { tsConfigFilePath: join(config, "tsconfig.json"), compilerOptions: overrides };
  return {
    compilerOptions: {
      ...overrides,
      strict: true,
      target: bundled.ScriptTarget.ES2022,
      module: bundled.ModuleKind.ESNext,
      moduleResolution: bundled.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: true,
      skipLibCheck: true,
    },
  };
}

/** The options beside `"transform": "@tsukumo/transformer"`, also where the tsconfig extends another. */
function pluginOptions(config: string | undefined): CompilerOptions {
  if (config === undefined) return {};
  const { config: read } = ts.readConfigFile(join(config, "tsconfig.json"), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(read ?? {}, ts.sys, config);
  const plugins: unknown = parsed.options.plugins;
  const found = Array.isArray(plugins)
    ? plugins.find((plugin) => plugin?.transform === "@tsukumo/transformer")
    : undefined;
  return found ?? {};
}

function nearest(directory: string, file: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, file))) return at;
    if (dirname(at) === at) return undefined;
  }
}

const SKIPPED_FOLDERS = new Set(["node_modules", "dist", "build", "coverage"]);

/** TypeScript sources below a folder; declarations, tests and generated modules are left out. */
function sourceFiles(folder: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED_FOLDERS.has(entry.name) && !entry.name.startsWith(".")) found.push(...sourceFiles(path));
    } else if (/\.[cm]?tsx?$/.test(entry.name) && !/\.(?:d|gen|test|spec)\.[cm]?tsx?$/.test(entry.name))
      found.push(path);
  }
  return found.sort();
}
