/** A registry on loopback that has the packed packages, and sends clients to the public one for everything else. */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, run } from "./run-command.js";

const PUBLIC = "https://registry.npmjs.org";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
}

export class LocalRegistry {
  readonly url: string;
  readonly #server: Server;
  readonly #folder: string;

  private constructor(server: Server, url: string, folder: string) {
    this.#server = server;
    this.url = url;
    this.#folder = folder;
  }

  /** Packs every package that is published. */
  static async start(): Promise<LocalRegistry> {
    const folder = mkdtempSync(join(tmpdir(), "tsukumo-registry-"));
    const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const tarballs = new Map<string, { manifest: Manifest; file: string }>();
    for (const path of publishedFolders()) {
      const { code, stderr } = await run("npx", ["-y", packageManager, "pack", "--pack-destination", folder], {
        cwd: join(ROOT, path),
      });
      if (code !== 0) throw new Error(`Packing ${path} failed: ${stderr}`);
      const { name, version }: Manifest = JSON.parse(readFileSync(join(ROOT, path, "package.json"), "utf8"));
      const file = join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
      // The manifest of the tarball: pnpm has put versions in the place of `workspace:*`.
      const packed = await run("tar", ["-xzOf", file, "package/package.json"]);
      tarballs.set(name, { manifest: JSON.parse(packed.stdout), file });
    }
    const server = createServer((request, response) => {
      const path = decodeURIComponent((request.url ?? "/").split("?")[0] ?? "/").slice(1);
      const tarball = [...tarballs.values()].find(({ file }) => file.endsWith(`/${path.replace("-/", "")}`));
      const found = tarballs.get(path);
      if (path.startsWith("-/") && tarball !== undefined) {
        response.end(readFileSync(tarball.file));
      } else if (found !== undefined) {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(packument(found.manifest, found.file, request.headers.host ?? "")));
      } else response.writeHead(302, { location: `${PUBLIC}${request.url}` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return new LocalRegistry(server, `http://127.0.0.1:${port}`, folder);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function packument(manifest: Manifest, file: string, host: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  const dist = { tarball: `http://${host}/-/${file.split("/").at(-1)}`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

function publishedFolders(): string[] {
  return [...readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`), "transformer", "cli"].filter(
    (folder) => {
      const manifest = join(ROOT, folder, "package.json");
      return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).private !== true;
    },
  );
}
