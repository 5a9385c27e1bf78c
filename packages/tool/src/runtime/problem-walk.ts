/** One look at a value: where it stands, and what it has found wrong. */
import type { ArgumentIssue } from "../error.js";
import type { JsonSchema } from "../json.js";
import { describeSchema } from "./schema-view.js";

export interface Walk {
  /** Steps (`.name`) and indexes from the outside in, the first `depth` of them; joined only when there is something to tell. */
  readonly path: (string | number)[];
  depth: number;
  readonly issues: ArgumentIssue[];
  /** While members of a union are tried, problems are only noticed. */
  probing: number;
  failed: boolean;
}

export type Check = (value: unknown, walk: Walk) => void;

export function newWalk(): Walk {
  return { path: [], depth: 0, issues: [], probing: 0, failed: false };
}

export function missingOf(schema: JsonSchema, step: string, root: JsonSchema): (walk: Walk) => void {
  let words: string | undefined;
  return (walk) => {
    walk.failed = true;
    if (walk.probing > 0) return;
    words ??= describeSchema(schema, root);
    walk.issues.push({ path: pathText(walk) + step, kind: "missing", expected: words });
  };
}

export function mismatchOf(schema: JsonSchema, root: JsonSchema): Check {
  let words: string | undefined;
  return (value, walk) => {
    walk.failed = true;
    if (walk.probing > 0) return;
    words ??= describeSchema(schema, root);
    tell(walk, "type", words, value);
  };
}

export function tell(walk: Walk, kind: "type" | "extra", expected: string, value: unknown): void {
  walk.failed = true;
  if (walk.probing > 0) return;
  walk.issues.push({ path: pathText(walk), kind, expected, received: show(value) });
}

const NAME = /^[A-Za-z_$][\w$]*$/;

function pathText({ path, depth }: Walk): string {
  let text = "$input";
  for (let i = 0; i < depth; i++) {
    const step = path[i];
    text += typeof step === "number" ? `[${step}]` : step;
  }
  return text;
}

export function stepText(key: string): string {
  return NAME.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

const MAX_SHOWN = 80;

/** A value as JSON, shortened. */
export function show(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  return shorten(JSON.stringify(value) ?? "nothing");
}

export function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
}
