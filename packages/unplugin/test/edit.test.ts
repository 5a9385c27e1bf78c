import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ProjectTypes } from "../src/project-types.js";

const folder = mkdtempSync(join(tmpdir(), "tsukumo-unplugin-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("sees what the bundler has of a file, and what the disk has of the others", () => {
  const types = join(folder, "types.ts");
  const main = join(folder, "main.ts");
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { strict: true, module: "ESNext", moduleResolution: "Bundler", types: [] },
      include: ["*.ts"],
    }),
  );
  writeFileSync(types, "export interface Place { city: string }\n");
  const code = 'import type { Place } from "./types.js";\nexport declare const place: Place;\n';
  writeFileSync(main, "export {};\n");
  const project = new ProjectTypes({ tsconfig: join(folder, "tsconfig.json") });
  const properties = (): string[] => {
    const found = project.fileWith(main, code);
    if (found === undefined) throw new Error("the file is not in the program");
    expect(found.dependencies).toEqual([types]);
    const symbol = found.checker
      .getExportsOfModule(found.checker.getSymbolAtLocation(found.file) ?? Object.assign({}))
      .at(-1);
    if (symbol === undefined) throw new Error("no export");
    return found.checker
      .getTypeOfSymbol(symbol)
      .getProperties()
      .map((property) => property.name);
  };
  expect(properties()).toEqual(["city"]);
  writeFileSync(types, "export interface Place { city: string; zip: string }\n");
  expect(properties()).toEqual(["city", "zip"]);
});
