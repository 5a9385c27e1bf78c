/** Writes projects of so many tools: functions with nested types, unions, tags and docs, twenty a file. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TOOLS_A_FILE = 20;

/** The sources alone, or with what `gen` writes for a plain compiler. */
export function writeProject(folder, tools, { plugin }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "src"), { recursive: true });
  mkdirSync(join(folder, "node_modules/@tsukumo"), { recursive: true });
  symlinkSync(join(ROOT, "packages/tool"), join(folder, "node_modules/@tsukumo/tool"));
  symlinkSync(join(ROOT, "transformer"), join(folder, "node_modules/@tsukumo/transformer"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const compilerOptions = {
    target: "ES2022",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    strict: true,
    skipLibCheck: true,
    types: [],
    rootDir: "src",
    outDir: "dist",
    ...(plugin ? { plugins: [{ transform: "@tsukumo/transformer" }] } : {}),
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  for (let first = 0; first < tools; first += TOOLS_A_FILE) {
    const count = Math.min(TOOLS_A_FILE, tools - first);
    const body = Array.from({ length: count }, (_, i) => toolSource(first + i)).join("\n");
    writeFileSync(join(folder, `src/tools${first / TOOLS_A_FILE}.ts`), `${TYPES}\n${body}`);
  }
}

const TYPES = `import type { ToolContext } from "@tsukumo/tool";
export type Level = "low" | "medium" | "high";
export interface Place {
  /** The city */
  city: string;
  /** Two letters
   * @minLength 2
   * @maxLength 2 */
  country: string;
  position?: { lat: number; lon: number };
}
export type Filter = { kind: "text"; words: string[] } | { kind: "range"; from: number; to: number };
`;

function toolSource(n) {
  return `/**
 * Looks number ${n} up.
 * @tool
 * @effect read_only
 * @param place Where to look
 * @param filters What to leave out
 * @param level How hard to look
 * @param limit At most this many
 */
export async function lookUp${n}(place: Place, filters: Filter[], level: Level = "low", limit?: number, ctx?: ToolContext): Promise<{ found: string[]; total: number }> {
  ctx?.signal.throwIfAborted();
  const found = [place.city, ...filters.map((filter) => (filter.kind === "text" ? filter.words.join(" ") : String(filter.to - filter.from)))];
  return { found: found.slice(0, limit ?? found.length), total: level === "low" ? ${n} : found.length };
}
`;
}
