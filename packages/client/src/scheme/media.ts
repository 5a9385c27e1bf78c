/** Images and files on the way to a provider. */
import type { MediaSource } from "../item.js";

/** `data:` URL of a source, or its plain URL; `undefined` for a file id. */
export function mediaUrl(source: MediaSource): string | undefined {
  if ("url" in source) return source.url;
  if ("data" in source) return `data:${source.mimeType};base64,${source.data}`;
  return undefined;
}

/** UTF-8 text from base64. */
export function textFromBase64(data: string): string {
  const binary = atob(data);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return new TextDecoder().decode(bytes);
}
