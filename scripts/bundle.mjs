/**
 * Bundles the runtime packages for Node, which takes about a millisecond for each module that it imports. `publishConfig`
 * names the bundles under the condition `node`; bundlers get `dist`, module by module, and leave out what is not used.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** All entries become one module, but for these, which import what the others do not need. */
const MERGED = { tool: ["./spill-fs"], client: ["./sse"] };
/** Each entry becomes a module, with chunks for what they share. */
const SPLIT = ["template", "worker"];
const ALL = "all";

export async function bundle() {
  for (const [name, apart] of Object.entries(MERGED)) await bundleMerged(join(root, "packages", name), apart);
  for (const name of SPLIT) await bundleSplit(join(root, "packages", name));
}

async function bundleSplit(folder) {
  const entries = entriesOf(folder).map(({ path }) => ({ in: path, out: outName(path) }));
  writeChanged(folder, await build(folder, entries));
}

async function bundleMerged(folder, apart) {
  const merged = new MergedModule(folder);
  const parts = [];
  for (const { subpath, path } of entriesOf(folder)) {
    const text = apart.includes(subpath) ? await merged.rewritten(path) : await merged.stub(path);
    parts.push({ path: join(folder, "bundle", `${outName(path)}.js`), text });
  }
  const all = await build(folder, [{ in: ALL, out: ALL }], [virtual(merged.code, folder)]);
  writeChanged(folder, [...all, ...parts]);
}

/** Exports all that the entries do; things of one name get different ones. */
class MergedModule {
  #folder;
  /** By the name in the merged module. */
  #exports = new Map();

  constructor(folder) {
    this.#folder = folder;
  }

  get code() {
    return [...this.#exports].map(([as, { name, path }]) => `export { ${name} as ${as} } from "${path}";`).join("\n");
  }

  /** The module at `path` as a part of the merged one. */
  async stub(path) {
    const module = await this.#load(path);
    const names = Object.keys(module).map((name) => this.#named(module, path, name, name));
    return `export { ${names.join(", ")} } from "${pathToAll(path)}";\n`;
  }

  /** The module at `path` as it is, but for its imports of the package's own modules. */
  async rewritten(path) {
    let text = readFileSync(join(this.#folder, path), "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, "");
    for (const [statement, names, specifier] of text.matchAll(/^import \{([^}]*)\} from "(\..*)";$/gm)) {
      const imported = `./${posix.join(posix.dirname(path), specifier)}`;
      const pairs = names.split(",").map((name) => name.trim().split(" as "));
      const module = await this.#load(imported);
      const named = pairs.map(([name, as = name]) => this.#named(module, imported, name, as));
      text = text.replace(statement, `import { ${named.join(", ")} } from "${pathToAll(path)}";`);
    }
    return text;
  }

  /** An export of the module at `path`, for a list of names. */
  #named(module, path, name, as) {
    const known = this.#exports.get(name);
    const alias = known === undefined || known.value === module[name] ? name : `${name}_${this.#exports.size}`;
    if (!this.#exports.has(alias)) this.#exports.set(alias, { name, path, value: module[name] });
    return alias === as ? as : `${alias} as ${as}`;
  }

  #load(path) {
    return import(pathToFileURL(join(this.#folder, path)).href);
  }
}

async function build(folder, entryPoints, plugins = []) {
  // Not before it is installed.
  const esbuild = await import("esbuild");
  const { outputFiles } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints,
    outdir: "bundle",
    bundle: true,
    splitting: true,
    format: "esm",
    // Loading takes as long as the text is. Names and short lines stay: users read stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 120,
    platform: "neutral",
    target: "es2022",
    packages: "external",
    external: ["node:*"],
    plugins,
    write: false,
    logLevel: "error",
  });
  return outputFiles;
}

function virtual(contents, resolveDir) {
  return {
    name: "merged-entries",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${ALL}$`) }, () => ({ path: ALL, namespace: "merged" }));
      build.onLoad({ filter: /.*/, namespace: "merged" }, () => ({ contents, resolveDir }));
    },
  };
}

function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.entries(exports).flatMap(([subpath, entry]) =>
    typeof entry === "string" ? [] : [{ subpath, path: entry.default }],
  );
}

/** `./dist/spill/file.js` becomes `spill/file`. */
function outName(path) {
  return path.replace(/^\.\/dist\//, "").replace(/\.js$/, "");
}

/** From the bundle of the module at `path`. */
function pathToAll(path) {
  return `${"../".repeat(outName(path).split("/").length - 1) || "./"}${ALL}.js`;
}

/** Several packs may run at once, so a file that is the same is left alone. */
function writeChanged(folder, files) {
  const target = join(folder, "bundle");
  const wanted = new Set(files.map(({ path }) => path));
  for (const { path, text } of files) {
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  for (const file of readdirSync(target, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !wanted.has(path)) rmSync(path);
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  await bundle();
  for (const name of [...Object.keys(MERGED), ...SPLIT])
    console.log(relative(root, join(root, "packages", name, "bundle")));
}
