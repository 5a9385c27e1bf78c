/** Which tags mean something, and which one an author may have meant: a misspelt one would be lost without a word. */
import type { DiagnosticSink } from "./diagnostics.js";
import type { Docs, DocTag } from "./docs.js";

/** Tags that constrain, by the shape they fit. */
export const CONSTRAINTS: Readonly<Record<string, "string" | "number" | "array">> = {
  minLength: "string",
  maxLength: "string",
  length: "string",
  pattern: "string",
  format: "string",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  type: "number",
  minItems: "array",
  maxItems: "array",
  items: "array",
  uniqueItems: "array",
};

/** In the comment of a property or a parameter. */
const OF_VALUES: readonly string[] = [...Object.keys(CONSTRAINTS), "title", "default", "example", "deprecated"];

const ROLES: readonly string[] = ["tool", "prompt", "resource"];

/** In the comment of a function. */
const OF_FUNCTIONS: readonly string[] = [
  ...ROLES,
  "name",
  "description",
  "descriptionFile",
  "response",
  "responseFile",
  "templateParam",
  "env",
  "sanitize",
  "effect",
  "idempotent",
  "mimeType",
  "param",
];

/** Other words for the same. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["min", "minimum"],
  ["max", "maximum"],
  ["int", "type int"],
  ["integer", "type int"],
  ["readonly", "effect read_only"],
  ["read_only", "effect read_only"],
  ["mutating", "effect mutating"],
  ["destructive", "effect destructive"],
]);

/** Tags of JSDoc and TSDoc that are near one of ours. */
const OTHERS: ReadonlySet<string> = new Set([
  "enum",
  "file",
  "todo",
  "since",
  "returns",
  "return",
  "prop",
  "private",
  "source",
]);

/** A tag of a property's or a parameter's comment that has no meaning there and nearly one. */
export function reportValueTag(tag: DocTag, sink: DiagnosticSink): void {
  if (tag.name !== "readonly") reportNear(tag, OF_VALUES, sink);
}

/** The tags of a function that is a tool, a prompt or a resource. */
export function reportFunctionTags({ tags }: Docs, sink: DiagnosticSink): void {
  for (const tag of tags) {
    if (tag.name === "effect" && tag.text === "") sink.report("TSK1009", tag.node, "Nothing");
    else if (tag.name !== "type" && Object.hasOwn(CONSTRAINTS, tag.name)) {
      const why = "it limits a value, so it belongs into the comment in front of a parameter or above a property";
      sink.report("TSK1012", tag.node, tag.name, tag.text, why);
    } else reportNear(tag, OF_FUNCTIONS, sink);
  }
}

/** The tag of a function that is none of ours, where it was meant to make it one: `@Tool`, `@tol`. */
export function reportRoleTag({ tags }: Docs, sink: DiagnosticSink): void {
  for (const tag of tags) reportNear(tag, ROLES, sink);
}

function reportNear(tag: DocTag, known: readonly string[], sink: DiagnosticSink): void {
  const { name } = tag;
  if (known.includes(name) || OTHERS.has(name)) return;
  const word = name.toLowerCase();
  const meant = known === ROLES ? undefined : MEANT.get(word);
  // Short words are near many others.
  const most = word.length <= 4 || known === ROLES ? 1 : 2;
  const near = meant ?? known.find((candidate) => distance(word, candidate.toLowerCase(), most) <= most);
  if (near !== undefined) sink.report("TSK1035", tag.node, name, near);
}

/** How many letters differ: added, missing, another, or two that changed places. More than `most` counts as that plus one. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? most) + 1 : most + 1;
      const other = (row[j - 1] ?? most) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(other, swapped, (row[j] ?? most) + 1, (next[j - 1] ?? most) + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? most + 1;
}
