/** A tool file or folder as a TypeScript program, through ts-morph. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CompilerOptions } from "@tsukumo/transformer/compiler";
import { ts } from "@tsukumo/transformer/compiler";
import { ts as bundled, Project } from "ts-morph";
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
  /** Undefined where ts-morph brings another TypeScript than the one that reads the types. */
  readonly #project: Project | undefined;
  #program: ts.Program | undefined;

  constructor(path: string) {
    this.#path = resolve(path);
    if (!existsSync(this.#path)) throw new CliError(`There is no file or folder ${path}.`);
    this.#directory = statSync(this.#path).isDirectory() ? this.#path : dirname(this.#path);
    this.#config = nearest(this.#directory, "tsconfig.json");
    this.#project = sameCompiler()
      ? new Project({ ...compilerSettings(this.#config), skipAddingFilesFromTsConfig: true })
      : undefined;
  }

  /** @throws {CliError} where the path holds no TypeScript */
  load(): ToolProject {
    const paths = this.#directory === this.#path ? sourceFiles(this.#path) : [this.#path];
    if (paths.length === 0) throw new CliError(`The folder ${this.#path} holds no TypeScript files.`);
    const program = this.#project === undefined ? this.#plainProgram(paths) : morphProgram(this.#project, paths);
    return {
      program,
      files: paths.flatMap((file) => program.getSourceFile(file) ?? []),
      directory: this.#directory,
      packageDirectory: nearest(this.#directory, "package.json") ?? this.#directory,
      options: pluginOptions(this.#config),
    };
  }

  #plainProgram(paths: readonly string[]): ts.Program {
    const defaults = {
      ...DEFAULTS,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    };
    const options = this.#config === undefined ? defaults : readSettings(this.#config).options;
    this.#program = ts.createProgram([...paths], { ...options, ...OVERRIDES }, undefined, this.#program);
    return this.#program;
  }
}

/** Nothing is written, and nothing may stand in the way of that. */
const OVERRIDES = { noEmit: false, declaration: false, composite: false, incremental: false, noEmitOnError: false };

/** For a folder without a tsconfig. */
const DEFAULTS = {
  strict: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
};

/** Kinds and flags are numbers that change between versions; within one minor version they are the same. */
function sameCompiler(): boolean {
  const minor = (version: string): string => version.split(".").slice(0, 2).join(".");
  return minor(bundled.version) === minor(ts.version);
}

function morphProgram(project: Project, paths: readonly string[]): ts.Program {
  for (const file of project.getSourceFiles()) file.refreshFromFileSystemSync();
  project.addSourceFilesAtPaths(paths);
  // ts-morph ships its own copy of the same compiler version; its program is the other copy's in all but name.
  return project.getProgram().compilerObject as unknown as ts.Program;
}

function compilerSettings(config: string | undefined): ConstructorParameters<typeof Project>[0] {
  if (config !== undefined) return { tsConfigFilePath: join(config, "tsconfig.json"), compilerOptions: OVERRIDES };
  return {
    compilerOptions: {
      ...OVERRIDES,
      ...DEFAULTS,
      target: bundled.ScriptTarget.ES2022,
      module: bundled.ModuleKind.ESNext,
      moduleResolution: bundled.ModuleResolutionKind.Bundler,
    },
  };
}

function readSettings(folder: string): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config ?? {}, ts.sys, folder);
}

/** The options beside `"transform": "@tsukumo/transformer"`, also where the tsconfig extends another. */
function pluginOptions(config: string | undefined): CompilerOptions {
  if (config === undefined) return {};
  const plugins: unknown = readSettings(config).options.plugins;
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
