/** Bundles the worker for a runtime without Node; tsukumo's plugin makes the tools' schemas and validators. */
import tsukumo from "@tsukumo/unplugin/esbuild";
import { build } from "esbuild";

await build({
  entryPoints: ["src/worker.ts"],
  outfile: "dist/worker.js",
  bundle: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  mainFields: ["module", "main"],
  minify: true,
  plugins: [tsukumo()],
});
