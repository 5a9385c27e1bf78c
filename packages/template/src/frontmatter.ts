/** The YAML between the `---` lines. */
import { isMap, isScalar, isSeq, parseDocument, YAMLParseError } from "yaml";
import type { Declaration, TemplateHead } from "./ast.js";
import { parseDeclaration, type TypeScope } from "./declaration.js";
import { TemplateError, type TemplateSource } from "./error.js";
import type { TemplateType } from "./types.js";

export interface Frontmatter extends TemplateHead {
  /** Where the body begins. */
  readonly bodyStart: number;
}

const SECTIONS = ["types", "consts", "env", "params"] as const;
type Section = (typeof SECTIONS)[number];

/** @throws {TemplateError} where it is missing, no YAML, or declares something wrong */
export function parseFrontmatter(source: TemplateSource): Frontmatter {
  const found = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/.exec(source.text);
  if (found === null)
    throw new TemplateError("frontmatter", "A template begins with `---`, its declarations, and `---`.", source, 0);
  const yaml = found[1] ?? "";
  const base = source.text.indexOf("\n") + 1;
  const scope: TypeScope & { aliases: Map<string, TemplateType> } = { aliases: new Map(), used: new Set() };
  const declared: Record<Section, Declaration[]> = { types: [], consts: [], env: [], params: [] };
  const words: { name?: string; description?: string } = {};
  let allowUnused = false;

  const document = parseDocument(yaml);
  const [error] = document.errors;
  if (error instanceof YAMLParseError)
    throw new TemplateError(
      "frontmatter",
      `This is no valid YAML: ${error.message.split("\n")[0]}`,
      source,
      base + error.pos[0],
      error,
    );
  const { contents } = document;
  const pairs = isMap(contents) ? contents.items : [];
  if (contents !== null && !isMap(contents))
    throw new TemplateError("frontmatter", "The frontmatter must have keys.", source, base);
  const entries = pairs.map((pair) => ({
    key: isScalar(pair.key) ? String(pair.key.value) : "",
    at: base + (isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0),
    value: pair.value,
  }));
  // Types first, wherever they stand: the others use them.
  for (const section of SECTIONS) {
    const entry = entries.find(({ key }) => key === section);
    if (entry === undefined || entry.value === null || (isScalar(entry.value) && entry.value.value === null)) continue;
    if (!isSeq(entry.value))
      throw new TemplateError("frontmatter", `\`${section}\` must be a list of \`name = type\`.`, source, entry.at);
    for (const item of entry.value.items) {
      if (!isScalar(item) || typeof item.value !== "string" || item.range == null)
        throw new TemplateError("frontmatter", `\`${section}\` must be a list of \`name = type\`.`, source, entry.at);
      const quoted = item.type === "QUOTE_SINGLE" || item.type === "QUOTE_DOUBLE" ? 1 : 0;
      const start = base + item.range[0] + quoted;
      const declaration = parseDeclaration(source, start, base + item.range[1] - quoted, scope);
      addDeclaration(declaration, section, declared, source);
      if (section === "types") scope.aliases.set(declaration.name, declaration.type);
    }
  }
  for (const { key, at, value } of entries) {
    if (SECTIONS.some((section) => section === key)) continue;
    const plain: unknown = isScalar(value) ? value.value : undefined;
    if ((key === "name" || key === "description") && typeof plain === "string") words[key] = plain;
    else if (key === "allow_unused" && typeof plain === "boolean") allowUnused = plain;
    else
      throw new TemplateError(
        "frontmatter",
        `\`${key}\` is no key of a template, or has a wrong value. There are name, description, types, env, consts, params and allow_unused.`,
        source,
        at,
      );
  }
  return { ...words, ...declared, allowUnused, usedTypes: scope.used, bodyStart: found[0].length };
}

function addDeclaration(
  declaration: Declaration,
  section: Section,
  declared: Record<Section, Declaration[]>,
  source: TemplateSource,
): void {
  const { name, at, fallback } = declaration;
  const all = section === "types" ? declared.types : [...declared.consts, ...declared.env, ...declared.params];
  if (all.some((other) => other.name === name))
    throw new TemplateError("frontmatter", `\`${name}\` is declared twice.`, source, at);
  if (section === "consts" && fallback === undefined)
    throw new TemplateError(
      "frontmatter",
      `The const \`${name}\` has no value. Write \`${name} = type := value\`.`,
      source,
      at,
    );
  if (section === "types" && fallback !== undefined)
    throw new TemplateError("frontmatter", `The type \`${name}\` cannot have a default.`, source, at);
  declared[section].push(declaration);
}
