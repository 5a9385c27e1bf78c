/** The recorded streams of ../shared/corpus. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type SchemeName, schemes } from "../../src/index.js";

const root = fileURLToPath(new URL("../../../../../shared/corpus/", import.meta.url));

export const hasCorpus = existsSync(root);
if (!hasCorpus) console.warn(`No recordings at ${root}: the corpus tests are skipped.`);

export interface Recording {
  readonly file: string;
  readonly scheme: SchemeName;
  readonly bytes: Uint8Array;
}

/** The recordings of one folder that its scheme can read. */
export function recordings(folder: string): Recording[] {
  if (!hasCorpus) return [];
  const name = folder === "openai-compatible" ? "openai-chat" : folder;
  if (!isScheme(name)) return [];
  return readdirSync(root + folder).map((file) => ({
    file: `${folder}/${file}`,
    scheme: name,
    bytes: new Uint8Array(readFileSync(`${root}${folder}/${file}`)),
  }));
}

function isScheme(name: string): name is SchemeName {
  return Object.hasOwn(schemes, name);
}
