/**
 * JSON as models write it: in a code fence, with trailing commas. Nothing is ever added: text that breaks off stays
 * broken.
 */

/** The value in a box, since it may be anything; undefined where the text cannot be read. */
export function parseLenient(text: string): { readonly value: unknown } | undefined {
  const bare = withoutFence(text);
  for (const candidate of [bare, withoutTrailingCommas(bare)]) {
    try {
      return { value: JSON.parse(candidate) };
    } catch {
      // The next candidate may do.
    }
  }
  return undefined;
}

/** Only a fence that is closed: an open one is a sign of truncation. */
function withoutFence(text: string): string {
  const fence = /^```[\w-]*[ \t]*\r?\n([\s\S]*?)\r?\n?```$/.exec(text.trim());
  return fence?.[1] ?? text;
}

function withoutTrailingCommas(text: string): string {
  let result = "";
  let copied = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === ",") {
      let next = i + 1;
      while (/\s/.test(text[next] ?? "")) next++;
      // `{,}` has nothing that the comma could follow.
      const follows = !/[{[,:]\s*$/.test(text.slice(Math.max(0, i - 32), i));
      if (follows && (text[next] === "}" || text[next] === "]")) {
        result += text.slice(copied, i);
        copied = i + 1;
      }
    }
  }
  return result + text.slice(copied);
}
