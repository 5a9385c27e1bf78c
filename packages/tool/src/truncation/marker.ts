/** The words that stand where something was left out. */
import type { SpillErrorCode } from "../spill/sink.js";

/** What became of the whole output. */
export type Retention =
  | { readonly kind: "none" }
  | { readonly kind: "kept"; readonly ref: string }
  | { readonly kind: "lost"; readonly code: SpillErrorCode };

/** Bytes, counted in the whole output. */
export interface Omission {
  readonly start: number;
  readonly end: number;
  readonly original: number;
}

export type Marker = (omission: Omission) => string;

/** Markers from the one that says most to the one that is always short enough to say something. */
export function markers(template: string | undefined, retention: Retention): readonly Marker[] {
  return [fullTemplate(template, retention), ...shortTemplates(retention)].map(
    (text) => (omission) => render(text, omission, retention),
  );
}

/** A reference as it stands in a marker: whatever could be read as anything but a reference is percent-encoded. */
export function escapeRef(ref: string): string {
  return ref.replace(/[^\w.~:@+=-]/gu, (char) =>
    /^[\ud800-\udfff]$/.test(char) ? "%EF%BF%BD" : encodeURIComponent(char).replace(/[!'()*]/g, hexEscape),
  );
}

/** Undoes `escapeRef`; text that it cannot have made is given back as it is. */
export function unescapeRef(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fullTemplate(custom: string | undefined, retention: Retention): string {
  switch (retention.kind) {
    case "none":
      return custom ?? "\n[... {omitted_bytes} of {original_bytes} bytes omitted ...]\n";
    case "kept":
      return (
        custom ??
        '\n[... bytes {offset_start} to {offset_end} of {original_bytes} omitted; recall them with ref "{ref}" ...]\n'
      );
    case "lost": {
      const warning = `the whole output could not be kept (${retention.code}), so the omitted part is lost`;
      // Said even where an author's template does not think of it.
      if (custom !== undefined) return `${custom}[WARNING: ${warning}]`;
      return `\n[... {omitted_bytes} of {original_bytes} bytes omitted; WARNING: ${warning} ...]\n`;
    }
  }
}

function shortTemplates(retention: Retention): readonly string[] {
  switch (retention.kind) {
    case "none":
      return ["[{omitted_bytes} bytes cut]", "[cut]"];
    case "kept":
      return ["[{omitted_bytes} bytes cut, ref {ref}]", "[cut, ref {ref}]", "[cut]"];
    case "lost":
      return ["[{omitted_bytes} bytes cut and lost]", "[cut, lost]", "[cut]"];
  }
}

function render(template: string, { start, end, original }: Omission, retention: Retention): string {
  // One pass: a reference that looks like a placeholder is not filled in.
  return template.replace(/\{(omitted_bytes|original_bytes|offset_start|offset_end|ref)\}/g, (_, name: string) => {
    switch (name) {
      case "omitted_bytes":
        return String(end - start);
      case "original_bytes":
        return String(original);
      case "offset_start":
        return String(start);
      case "offset_end":
        return String(end);
      default:
        return retention.kind === "kept" ? escapeRef(retention.ref) : "none";
    }
  });
}

function hexEscape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
