/** What a new project begins with. */
import type { Toolchain } from "./toolchain.js";

/** The first builds, the second shows what the build will say while you type. */
export const PLUGINS = [{ transform: "@tsukumo/transformer" }, { name: "@tsukumo/transformer/language-service" }];

export const TOOL = `/**
 * Tells the time in a place.
 * @tool
 * @effect read_only
 * @param timeZone An IANA time zone, e.g. "Asia/Tokyo"
 */
export function currentTime(timeZone = "UTC"): string {
  return new Date().toLocaleString("en-GB", { timeZone });
}
`;

/** @param generated the program imports what \`tsukumo gen\` writes */
export function mainFile(generated: boolean): string {
  return `import { ToolRegistry, toolDefinitions } from "@tsukumo/tool";
${generated ? 'import "./tools/tools.gen.js";\n' : ""}import * as time from "./tools/time.js";

const registry = ToolRegistry.of(...toolDefinitions(time));
console.log(JSON.stringify(registry.definitions(), null, 2));
registry.dispatch("currentTime", { timeZone: "Asia/Tokyo" }).then((output) => console.log(output.content));
`;
}

export function tsconfigFile(toolchain: Toolchain): object {
  const bundled = toolchain === "vite";
  return {
    compilerOptions: {
      target: "ES2022",
      module: bundled ? "ESNext" : "NodeNext",
      moduleResolution: bundled ? "Bundler" : "NodeNext",
      strict: true,
      skipLibCheck: true,
      ...(bundled ? { noEmit: true } : { rootDir: "src", outDir: "dist" }),
      // TypeScript 7 looks for no types by itself.
      types: ["node"],
      ...(toolchain === "tspc" ? { plugins: PLUGINS } : {}),
    },
    include: ["src"],
  };
}
