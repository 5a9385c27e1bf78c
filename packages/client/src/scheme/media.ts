/** Images and files on the way to a provider. */
import { ClientError } from "../error.js";
import type { MediaSource } from "../item.js";

/** Where the bytes are: one of three. */
export type Media =
  | { readonly from: "data"; readonly data: string; readonly mimeType: string }
  | { readonly from: "url"; readonly url: string; readonly mimeType: string | undefined }
  | { readonly from: "file"; readonly fileId: string; readonly mimeType: string | undefined };

/**
 * A field that is undefined counts as absent, as it will be once it was stored as JSON; a `data:` URL is its data.
 * @throws {ClientError} `config`
 */
export function mediaOf(source: MediaSource): Media {
  const given: { readonly data?: string; readonly url?: string; readonly fileId?: string; readonly mimeType?: string } =
    source;
  const { data, url, fileId, mimeType } = given;
  if (data !== undefined) {
    if (mimeType === undefined) throw new ClientError("config", "An image or a file with data needs its mimeType.");
    return { from: "data", data, mimeType };
  }
  if (url !== undefined) return fromDataUrl(url) ?? { from: "url", url, mimeType };
  if (fileId !== undefined) return { from: "file", fileId, mimeType };
  throw new ClientError("config", "An image or a file needs data, a url or a fileId.");
}

/** A URL that holds or names the bytes. */
export function urlOf(media: Exclude<Media, { from: "file" }>): string {
  return media.from === "url" ? media.url : `data:${media.mimeType};base64,${media.data}`;
}

/** @see https://www.rfc-editor.org/rfc/rfc2397 */
function fromDataUrl(url: string): Media | undefined {
  const match = /^data:([^;,]*)([^,]*),/i.exec(url);
  if (match === null) return undefined;
  const [head, mimeType = "", parameters = ""] = match;
  const body = url.slice(head.length);
  const isBase64 = /;base64$/i.test(parameters);
  return {
    from: "data",
    data: isBase64 ? body : base64(new TextEncoder().encode(decodeURIComponent(body))),
    mimeType: mimeType === "" ? "text/plain" : mimeType,
  };
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Files that are text, whatever they mean. */
export function isText(mimeType: string): boolean {
  return /^(text\/|application\/(json|xml|yaml|x-yaml|javascript|toml|sql)\b)/i.test(mimeType);
}

/** UTF-8 text from base64. @throws {ClientError} `config` */
export function textFromBase64(data: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)));
  } catch (cause) {
    throw new ClientError("config", "The data of a text file is not base64.", { cause });
  }
}

/** A name for a file without one, for providers that demand it. */
export function fileName(mimeType: string): string {
  const [type = "", subtype = "bin"] = mimeType.split(/[/;+]/);
  if (type === "text" && subtype === "plain") return "file.txt";
  return `file.${subtype === "markdown" ? "md" : subtype}`;
}
