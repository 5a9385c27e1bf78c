/** URI templates with variables between literal text. @see https://www.rfc-editor.org/rfc/rfc6570 levels 1 and 2 */

interface Piece {
  readonly literal: string;
  /** The variable after the literal. */
  readonly variable?: string;
  /** `{+name}`: takes slashes too. */
  readonly rest?: boolean;
}

/** The decoded variables of a URI that the template produces; undefined where it does not. */
export function matchUri(template: string, uri: string): Record<string, string> | undefined {
  const pieces = piecesOf(template);
  const pattern = pieces.map(
    (p) => escapePattern(p.literal) + (p.variable === undefined ? "" : p.rest ? "(.+)" : "([^/?#]+)"),
  );
  const match = new RegExp(`^${pattern.join("")}$`, "s").exec(uri);
  if (match === null) return undefined;
  const names = pieces.flatMap((piece) => (piece.variable === undefined ? [] : [piece.variable]));
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]));
  } catch {
    return undefined;
  }
}

function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of template.matchAll(/\{(\+?)([^{}]*)\}/g)) {
    pieces.push({ literal: template.slice(at, match.index), variable: match[2] ?? "", rest: match[1] === "+" });
    at = match.index + match[0].length;
  }
  return [...pieces, { literal: template.slice(at) }];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
