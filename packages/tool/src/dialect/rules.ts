/** What each provider's function calling accepts of JSON Schema. A new dialect is an entry in the table. */

export type Dialect = "openai-strict" | "openai" | "anthropic" | "gemini" | "mcp";

export interface DialectRules {
  /** The provider, as messages name it. */
  readonly label: string;
  /** Keywords that may stand in a schema; what is left out becomes words in the description. Undefined: all. */
  readonly keywords?: ReadonlySet<string>;
  /** The same for formats of strings. */
  readonly formats?: ReadonlySet<string>;
  /** Every property must be required; what may be left out is nullable instead. */
  readonly requireAll?: boolean;
  /** Why objects with any keys cannot be expressed; undefined where they can. */
  readonly openObjects?: string;
  readonly patternKeys?: string;
  readonly tuples?: string;
  readonly anyValue?: string;
  /** Enums hold text and numbers only. */
  readonly plainEnums?: boolean;
  /** Nothing may stand beside `$ref`. */
  readonly bareRefs?: boolean;
  /** Recursion must pass through something that may be left out. */
  readonly optionalRecursion?: boolean;
  readonly limits?: {
    readonly properties: number;
    readonly depth: number;
    readonly enumValues: number;
    readonly characters: number;
  };
}

const STRICT_KEYWORDS = [
  "type",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "anyOf",
  "$ref",
  "$defs",
  "pattern",
  "format",
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minItems",
  "maxItems",
];

const GEMINI_KEYWORDS = [
  "$id",
  "$defs",
  "$ref",
  "$anchor",
  "type",
  "format",
  "title",
  "description",
  "enum",
  "items",
  "prefixItems",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "anyOf",
  "oneOf",
  "properties",
  "additionalProperties",
  "required",
  "propertyOrdering",
];

/**
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 * @see https://ai.google.dev/api/caching#FunctionDeclaration `parametersJsonSchema`
 */
export const DIALECTS: Readonly<Record<Dialect, DialectRules>> = {
  "openai-strict": {
    label: "OpenAI's strict mode",
    keywords: new Set(STRICT_KEYWORDS),
    formats: new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
    requireAll: true,
    openObjects: "every key of an object must be known",
    patternKeys: "every key of an object must be known",
    tuples: "arrays have one type of element",
    anyValue: "every value needs a type",
    limits: { properties: 5000, depth: 10, enumValues: 1000, characters: 120_000 },
  },
  openai: { label: "OpenAI" },
  anthropic: { label: "Anthropic" },
  gemini: {
    label: "Gemini",
    keywords: new Set(GEMINI_KEYWORDS),
    formats: new Set(["date-time", "date", "time", "duration"]),
    patternKeys: "keys cannot be told by a pattern",
    plainEnums: true,
    bareRefs: true,
    optionalRecursion: true,
  },
  mcp: { label: "MCP" },
};

/** What a build looks at unless it is told otherwise: all of them. */
export const DEFAULT_DIALECTS: readonly Dialect[] = ["openai-strict", "openai", "anthropic", "gemini", "mcp"];

export function isDialect(name: string): name is Dialect {
  return Object.hasOwn(DIALECTS, name);
}
