/** The types of a project while a bundler works on it: files may change between two builds. */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { dependenciesOf } from "@tsukumo/transformer/compiler";
import ts from "typescript";
import type { UnpluginOptions } from "./options.js";

export interface TypedFile {
  readonly file: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  /** Other sources of the project that the file imports, directly or not: its types may come from there. */
  readonly dependencies: readonly string[];
}

interface Override {
  readonly code: string;
  readonly version: number;
}

export class ProjectTypes {
  readonly #files: Set<string>;
  readonly #overrides = new Map<string, Override>();
  readonly #versions = new Map<string, string>();
  readonly #service: ts.LanguageService;

  constructor(options: UnpluginOptions) {
    const config = options.tsconfig ?? ts.findConfigFile(process.cwd(), ts.sys.fileExists);
    const parsed = config === undefined ? undefined : readConfig(resolve(config));
    const settings: ts.CompilerOptions = { ...(parsed?.options ?? DEFAULTS), noEmit: true };
    this.#files = new Set(parsed?.fileNames ?? []);
    this.#service = ts.createLanguageService(
      this.#host(settings, config === undefined ? process.cwd() : dirname(resolve(config))),
    );
  }

  /** Looks at the disk again before the next question. */
  refresh(): void {
    this.#versions.clear();
  }

  /** The file with the text that the bundler has of it. */
  fileWith(path: string, code: string): TypedFile | undefined {
    const name = resolve(path).replaceAll("\\", "/");
    this.#files.add(name);
    const known = this.#overrides.get(name);
    if (known?.code !== code) this.#overrides.set(name, { code, version: (known?.version ?? 0) + 1 });
    this.#versions.clear();
    const program = this.#service.getProgram();
    const file = program?.getSourceFile(name);
    if (program === undefined || file === undefined) return undefined;
    return {
      file,
      checker: program.getTypeChecker(),
      dependencies: dependenciesOf(file, program).map((source) => source.fileName),
    };
  }

  #host(settings: ts.CompilerOptions, directory: string): ts.LanguageServiceHost {
    return {
      getCompilationSettings: () => settings,
      getScriptFileNames: () => [...this.#files],
      getScriptVersion: (name) => this.#version(name),
      getScriptSnapshot: (name) => {
        const text = this.#overrides.get(name)?.code ?? ts.sys.readFile(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => directory,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
      ...(ts.sys.realpath === undefined ? {} : { realpath: ts.sys.realpath }),
    };
  }

  /** Asked for every file at every question, so the disk is looked at once a question. */
  #version(name: string): string {
    const override = this.#overrides.get(name);
    if (override !== undefined) return `o${override.version}`;
    if (name.includes("/node_modules/")) return "0";
    let version = this.#versions.get(name);
    if (version === undefined) {
      version = String(statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      this.#versions.set(name, version);
    }
    return version;
  }
}

const DEFAULTS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  skipLibCheck: true,
};

function readConfig(path: string): ts.ParsedCommandLine {
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile);
  if (error !== undefined)
    throw new Error(`tsukumo cannot read ${path}: ${ts.flattenDiagnosticMessageText(error.messageText, "\n")}`);
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(path), undefined, path);
}
