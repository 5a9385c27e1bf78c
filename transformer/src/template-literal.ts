/** Template literal types as regular expressions. */
import type { MetadataSchema, MetadataTemplate } from "@typia/core";

/** The pattern of a template, without anchors. */
export function templatePattern(template: MetadataTemplate): string {
  return template.row.map(partPattern).join("");
}

function partPattern(part: MetadataSchema): string {
  const options: string[] = [];
  for (const atomic of part.atomics) {
    switch (atomic.type) {
      case "string":
        options.push("[\\s\\S]*");
        break;
      case "number":
        options.push("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");
        break;
      case "bigint":
        options.push("-?(?:0|[1-9][0-9]*)");
        break;
      case "boolean":
        options.push("true", "false");
        break;
    }
  }
  for (const constant of part.constants)
    for (const { value } of constant.values) options.push(escapePattern(String(value)));
  for (const template of part.templates) options.push(templatePattern(template));
  const [only] = options;
  return only !== undefined && options.length === 1 ? only : `(?:${options.join("|")})`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
