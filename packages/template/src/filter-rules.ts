/** What each filter takes and gives, at build time. A new filter is one row here and one function in `filters/`. */
import { FLOAT, holdsUntrusted, INT, STR, type TemplateType, UNTRUSTED } from "./types.js";

export type FilterArgument = string | number;

interface FilterRule {
  /** Types of the arguments, those that must be there first. */
  readonly args: readonly ("str" | "count")[];
  readonly required: number;
  /** What comes out; undefined where the input does not fit. */
  readonly result: (input: TemplateType) => TemplateType | undefined;
  readonly takes: string;
  /** What is wrong with the arguments, where their types are right. */
  readonly check?: (args: readonly FilterArgument[]) => string | undefined;
}

const sameText = (input: TemplateType): TemplateType | undefined => (input.kind === "str" ? input : undefined);
const safeText = (input: TemplateType): TemplateType | undefined => (input.kind === "str" ? STR : undefined);
const aNumber = (input: TemplateType): TemplateType | undefined =>
  input.kind === "int" || input.kind === "float" ? input : undefined;

const TAG = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const checkTags = (args: readonly FilterArgument[]): string | undefined =>
  args.every((arg) =>
    String(arg)
      .split(",")
      .every((tag) => TAG.test(tag.trim())),
  )
    ? undefined
    : "the tags must be ASCII XML names, separated by commas";

export const FILTERS: ReadonlyMap<string, FilterRule> = new Map<string, FilterRule>([
  ["upper", { args: [], required: 0, result: sameText, takes: "text" }],
  ["lower", { args: [], required: 0, result: sameText, takes: "text" }],
  ["trim", { args: [], required: 0, result: sameText, takes: "text" }],
  [
    "fixed",
    {
      args: ["count"],
      required: 1,
      result: (input) => (aNumber(input) === undefined ? undefined : STR),
      takes: "a number",
      check: ([digits]) => (Number(digits) > 100 ? "there are at most 100 digits" : undefined),
    },
  ],
  [
    "join",
    {
      args: ["str"],
      required: 1,
      result: (input) =>
        input.kind === "list" && ["str", "int", "float", "bool"].includes(input.item.kind)
          ? holdsUntrusted(input)
            ? UNTRUSTED
            : STR
          : undefined,
      takes: "a list of scalars",
    },
  ],
  [
    "limit",
    {
      args: ["count"],
      required: 1,
      result: (input) => (input.kind === "list" ? input : sameText(input)),
      takes: "a list or text",
    },
  ],
  ["add", { args: ["count"], required: 1, result: aNumber, takes: "a number" }],
  ["sub", { args: ["count"], required: 1, result: aNumber, takes: "a number" }],
  ["truncate", { args: ["count", "str"], required: 1, result: sameText, takes: "text" }],
  ["sanitize_tokens", { args: ["str"], required: 0, result: safeText, takes: "text", check: checkTags }],
  ["quarantine", { args: ["str"], required: 0, result: safeText, takes: "text", check: checkTags }],
  [
    "fence",
    {
      args: ["str"],
      required: 0,
      result: safeText,
      takes: "text",
      check: ([language = ""]) =>
        /[`\s]/.test(String(language)) ? "the language has no space and no backtick" : undefined,
    },
  ],
  ["escape_xml", { args: [], required: 0, result: safeText, takes: "text" }],
  ["escape_json", { args: [], required: 0, result: safeText, takes: "text" }],
  [
    "tojson",
    {
      args: ["count"],
      required: 0,
      result: (input) => (holdsUntrusted(input) ? UNTRUSTED : STR),
      takes: "anything",
    },
  ],
]);

/** Cut or changed afterwards, what these write would be open again: a closing tag gone, an escape halved. */
const SEALS: ReadonlySet<string> = new Set(["quarantine", "fence", "escape_xml", "escape_json"]);
const RESHAPES: ReadonlySet<string> = new Set(["upper", "lower", "trim", "limit", "truncate"]);

/** Whether a filter would undo what the one before it has made safe. */
export function undoes(name: string, before: string): boolean {
  return SEALS.has(before) && RESHAPES.has(name);
}

/** The type that a filter gives, or what is wrong. */
export function filterResult(
  name: string,
  input: TemplateType,
  args: readonly FilterArgument[],
): { readonly type: TemplateType } | { readonly wrong: string } {
  const rule = FILTERS.get(name);
  if (rule === undefined)
    return { wrong: `There is no filter \`${name}\`. There are ${[...FILTERS.keys()].join(", ")}.` };
  const { length } = args;
  if (length < rule.required || length > rule.args.length)
    return {
      wrong: `The filter \`${name}\` takes ${rule.required === rule.args.length ? rule.required : `${rule.required} to ${rule.args.length}`} arguments, and got ${length}.`,
    };
  for (const [index, arg] of args.entries()) {
    const wanted = rule.args[index];
    const isAmount = name === "add" || name === "sub";
    const fits =
      wanted === "str"
        ? typeof arg === "string"
        : typeof arg === "number" && (isAmount || (Number.isInteger(arg) && arg >= 0));
    if (!fits)
      return {
        wrong: `Argument ${index + 1} of the filter \`${name}\` must be ${wanted === "str" ? "text" : isAmount ? "a number" : "a whole number, 0 or more"}.`,
      };
  }
  const wrong = rule.check?.(args);
  if (wrong !== undefined) return { wrong: `The filter \`${name}\` does not take this: ${wrong}.` };
  const result = rule.result(input);
  if (result === undefined) return { wrong: `The filter \`${name}\` takes ${rule.takes}.` };
  const fractional = (name === "add" || name === "sub") && result === INT && !Number.isInteger(args[0]);
  return { type: fractional ? FLOAT : result };
}
