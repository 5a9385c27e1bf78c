/** A bundler must build a file again when one of its templates changes. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { unplugin } from "../src/index.js";

const SOURCE = fileURLToPath(new URL("../../../fixtures/templates/tools.ts", import.meta.url));

it("watches every template of a file and writes the code that renders them", () => {
  const plugin = unplugin.raw({}, { framework: "rollup", versions: {} });
  const transform = [plugin].flat()[0]?.transform;
  if (typeof transform !== "object") throw new Error("The plugin transforms nothing.");
  const watched: string[] = [];
  const told: unknown[] = [];
  const context = {
    addWatchFile: (path: string) => watched.push(path),
    warn: (message: unknown) => told.push(message),
    error: (message: unknown) => told.push(message),
  };
  const result: unknown = Reflect.apply(transform.handler, context, [readFileSync(SOURCE, "utf8"), SOURCE]);
  expect(told).toEqual([]);
  expect(watched.filter((path) => path.endsWith(".md")).map((path) => path.split("/").at(-1))).toEqual([
    "search.description.tmpl.md",
    "search.response.tmpl.md",
    "hit.tmpl.md",
  ]);
  expect(result).toMatchObject({ code: expect.stringContaining('from "@tsukumo/template/filters"') });
});
