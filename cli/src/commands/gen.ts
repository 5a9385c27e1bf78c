import { existsSync, type FSWatcher, readFileSync, watch as watchFolder, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { DiagnosticSink, GENERATED, type GenerateSource, generateModule } from "@tsukumo/transformer/compiler";
import { defineCommand } from "citty";
import {
  type CompileCache,
  compileProject,
  type FileTools,
  reportDiagnostics,
  templateFiles,
} from "../compile-project.js";
import { CliError } from "../failure.js";
import { lineDiff } from "../line-diff.js";
import { ProjectLoader, type ToolProject } from "../project.js";

export const gen = defineCommand({
  meta: { name: "gen", description: "Generate (or verify) definitions for a tool folder, as one plain .ts module" },
  args: {
    path: { type: "positional", required: true, description: "A TypeScript file or a folder of tools" },
    out: {
      type: "string",
      alias: "o",
      valueHint: "file",
      description: "The module to write; default <dir>/tools.gen.ts",
    },
    check: {
      type: "boolean",
      description: "Write nothing; exit 1 and show what differs when the module is not up to date",
    },
    watch: { type: "boolean", description: "Generate again whenever a source changes" },
    strict: { type: "boolean", description: "Missing documentation is an error" },
  },
  async run({ args }) {
    const strict = args.strict === true;
    const loader = new ProjectLoader(args.path);
    const cache: CompileCache = new Map();
    const once = (): void =>
      generate(loader.load(), cache, args.path, args.out, { strict, check: args.check === true });
    if (args.watch !== true) return once();
    await watchAndRun(args.path, args.out, once, () => templateFiles(cache));
  },
});

interface GenerateOptions {
  readonly strict: boolean;
  readonly check: boolean;
}

function generate(
  project: ToolProject,
  cache: CompileCache,
  path: string,
  out: string | undefined,
  options: GenerateOptions,
): void {
  const compiled = compileProject(project, options.strict ? { strict: true } : {}, cache);
  const target = resolve(out ?? join(project.directory, "tools.gen.ts"));
  refuseHidden(compiled);
  const text = generateModule(compiled.map((entry) => sourceOf(entry, target, project)));
  const shown = relative(process.cwd(), target);
  const old = existsSync(target) ? readFileSync(target, "utf8") : undefined;
  if (options.check) {
    if (old === text) return;
    const why = old === undefined ? `${shown} does not exist` : `${shown} is not up to date`;
    throw new CliError(`${why}. Run \`tsukumo gen ${path}\`.\n${lineDiff(old ?? "", text)}`);
  }
  if (old !== undefined && !old.startsWith(GENERATED)) {
    throw new CliError(
      `${shown} was not written by \`tsukumo gen\`, so it is left alone. Name another file with -o, or remove it.`,
    );
  }
  if (old !== text) writeFileSync(target, text);
  const count = compiled.reduce((sum, { tools }) => sum + tools.length, 0);
  process.stderr.write(`${shown}: ${count} ${count === 1 ? "tool" : "tools"}${old === text ? ", unchanged" : ""}\n`);
}

/** A generated module can only import what is exported. */
function refuseHidden(compiled: readonly FileTools[]): void {
  const sink = new DiagnosticSink();
  for (const { model } of compiled.flatMap(({ tools }) => tools)) {
    const { target } = model;
    if (target.kind !== "value" && target.exportName === undefined)
      sink.report("TSK1018", model.node, `\`${target.kind === "function" ? target.functionName : target.className}\``);
  }
  reportDiagnostics(sink, true);
}

function sourceOf({ file, tools }: FileTools, target: string, project: ToolProject): GenerateSource {
  const path = relative(dirname(target), file.fileName).replaceAll("\\", "/");
  const relativePath = path.startsWith(".") ? path : `./${path}`;
  const options = project.program.getCompilerOptions();
  // Programs that Node runs without a build step name the source files themselves.
  const keepsExtension =
    options.rewriteRelativeImportExtensions === true || options.allowImportingTsExtensions === true;
  const specifier = keepsExtension ? relativePath : relativePath.replace(/\.([cm]?)tsx?$/, ".$1js");
  return { specifier, models: tools.map((tool) => tool.model) };
}

async function watchAndRun(
  path: string,
  out: string | undefined,
  once: () => void,
  templates: () => ReadonlySet<string>,
): Promise<void> {
  const directory = resolve(path);
  const attempt = (): void => {
    try {
      once();
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
    watchOutside();
  };
  let timer: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(attempt, 20);
  };
  // Templates may lie outside the folder of the tools.
  const outside = new Map<string, FSWatcher>();
  const watchOutside = (): void => {
    for (const folder of new Set([...templates()].map((file) => dirname(file)))) {
      if (outside.has(folder) || folder === directory || folder.startsWith(directory + sep) || !existsSync(folder))
        continue;
      const isTemplate = (name: string): boolean => templates().has(posix.join(folder.replaceAll(sep, "/"), name));
      outside.set(
        folder,
        watchFolder(folder, (_, name) => {
          if (name !== null && isTemplate(name)) later();
        }),
      );
    }
  };
  const generated = resolve(out ?? join(resolve(path), "tools.gen.ts"));
  const watcher = watchFolder(directory, { recursive: true }, (_, name) => {
    if (name === null || resolve(path, name) === generated) return;
    if (/\.[cm]?tsx?$/.test(name) || templates().has(resolve(path, name).replaceAll(sep, "/"))) later();
  });
  // Only now: an edit during the first run would be missed otherwise.
  attempt();
  await new Promise<void>((done) => process.once("SIGINT", done));
  for (const open of [watcher, ...outside.values()]) open.close();
  clearTimeout(timer);
}
