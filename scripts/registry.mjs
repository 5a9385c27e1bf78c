/**
 * A registry on loopback that has the packed packages, and sends clients to the public one for everything else.
 * `npm run registry [-- --port 4873]`: then `export npm_config_registry=http://127.0.0.1:4873` where you install.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const PUBLIC = "https://registry.npmjs.org";
const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Packs every package that is published, as it is built now, and serves it. */
export async function startRegistry(port = 0) {
  const folder = mkdtempSync(join(tmpdir(), "tsukumo-registry-"));
  const packages = pack(folder);
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "/").split("?")[0] ?? "/").slice(1);
    const found = packages.get(path);
    const tarball = [...packages.values()].find(({ file }) => `-/${file}` === path);
    if (tarball !== undefined) response.end(tarball.bytes);
    else if (found === undefined) response.writeHead(302, { location: `${PUBLIC}${request.url}` }).end();
    else {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(packument(found, request.headers.host ?? "")));
    }
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    names: [...packages.keys()],
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pack(folder) {
  const { packageManager } = readJson("package.json");
  const filters = publishedFolders().flatMap((path) => ["--filter", `./${path}`]);
  try {
    const args = ["-y", packageManager, "-r", ...filters, "pack", "--pack-destination", folder];
    execFileSync("npx", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
    return new Map(
      readdirSync(folder).map((file) => {
        const bytes = readFileSync(join(folder, file));
        // The manifest of the tarball: pnpm has put versions in the place of `workspace:*`.
        const text = execFileSync("tar", ["-xzOf", join(folder, file), "package/package.json"], { encoding: "utf8" });
        const manifest = JSON.parse(text);
        return [manifest.name, { manifest, file, bytes }];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function packument({ manifest, file, bytes }, host) {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const dist = { tarball: `http://${host}/-/${file}`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

function publishedFolders() {
  return [...readdirSync(join(root, "packages")).map((name) => `packages/${name}`), "transformer", "cli"].filter(
    (path) => existsSync(join(root, path, "package.json")) && readJson(`${path}/package.json`).private !== true,
  );
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { port: { type: "string", default: "4873" } } });
  const { url, names } = await startRegistry(Number(values.port));
  console.log(`${names.join(", ")} are at ${url}, until Ctrl-C. In the terminal where you install them:\n`);
  console.log(`  export npm_config_registry=${url}`);
}
