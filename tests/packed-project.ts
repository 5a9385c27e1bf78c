/** A project of its own in a temporary folder, with the packed tarballs installed. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Outcome, ROOT, run } from "./run-command.js";

/** Every package that is published: a tarball must find the others of its release, not the registry's. */
const PACKAGES = [
  ...readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`),
  "transformer",
  "cli",
].filter(isPublished);

function isPublished(folder: string): boolean {
  const manifest = join(ROOT, folder, "package.json");
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).private !== true;
}

export class PackedProject {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Packs, and installs the tarballs with what else is named. */
  static async create(name: string, dependencies: Readonly<Record<string, string>>): Promise<PackedProject> {
    const project = new PackedProject(mkdtempSync(join(tmpdir(), `tsukumo-${name}-`)));
    const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const tarballs: Record<string, string> = {};
    for (const folder of PACKAGES) {
      await project.must(
        "npx",
        ["-y", packageManager, "pack", "--pack-destination", project.folder],
        join(ROOT, folder),
      );
      const { name: packed, version } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
      tarballs[packed] = `file:./${packed.replace("@", "").replace("/", "-")}-${version}.tgz`;
    }
    project.write(
      "package.json",
      JSON.stringify({
        name,
        private: true,
        type: "module",
        dependencies: { ...tarballs, ...dependencies },
        overrides: tarballs,
      }),
    );
    await project.must("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--legacy-peer-deps"]);
    return project;
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  bin(name: string): string {
    return join(this.folder, "node_modules", ".bin", name);
  }

  run(command: string, args: readonly string[]): Promise<Outcome> {
    return run(command, args, { cwd: this.folder });
  }

  /** The standard output. @throws {Error} with everything that was said where the exit code is not 0 */
  async must(command: string, args: readonly string[], cwd = this.folder): Promise<string> {
    const { code, stdout, stderr } = await run(command, args, { cwd });
    if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${code}\n${stdout}\n${stderr}`);
    return stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
