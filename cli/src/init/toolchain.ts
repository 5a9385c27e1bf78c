/** What builds a project, as far as its files tell. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export type Toolchain = "tspc" | "vite" | "gen";

export type Json = Readonly<Record<string, unknown>>;

/** The versions of TypeScript that the transformer works with. */
const OLDEST = [5, 9] as const;
const NEWER = 7;

export function toolchainOf(folder: string, pkg: Json): Toolchain {
  const isVite = ["ts", "mts", "cts", "js", "mjs", "cjs"].some((end) => existsSync(join(folder, `vite.config.${end}`)));
  if (isVite) return "vite";
  const [major] = typescriptOf(pkg) ?? [];
  return major !== undefined && major >= NEWER ? "gen" : "tspc";
}

/** What to say of a TypeScript that no tool of ours works with; undefined where there is nothing. */
export function typescriptProblem(pkg: Json, toolchain: Toolchain): string | undefined {
  const [major, minor] = typescriptOf(pkg) ?? OLDEST;
  if (toolchain !== "gen" && major >= NEWER)
    return "TypeScript 7 has no plugins, and the bundler plugin needs the older one beside it: install typescript 6.0.3, or see the page on TypeScript 7.";
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    return `Raise typescript in package.json: 5.9 and 6.0 work, and this is ${major}.${minor}.`;
  return undefined;
}

/** The least version that the range allows; undefined where there is none, or it tells no number. */
function typescriptOf(pkg: Json): readonly [number, number] | undefined {
  const range = dependencyOf(pkg, "typescript");
  const found = typeof range === "string" ? /(\d+)(?:\.(\d+))?/.exec(range) : null;
  return found === null ? undefined : [Number(found[1]), Number(found[2] ?? 0)];
}

export function dependencyOf(pkg: Json, name: string): unknown {
  return record(pkg.dependencies)[name] ?? record(pkg.devDependencies)[name];
}

export function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
