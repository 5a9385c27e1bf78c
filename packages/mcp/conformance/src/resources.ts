import { PIXEL } from "./media.js";

/**
 * A static text resource.
 * @resource test://static-text
 * @mimeType text/plain
 */
export function staticText(): string {
  return "This is the content of the static text resource.";
}

/**
 * A static binary resource.
 * @resource test://static-binary
 * @mimeType image/png
 */
export function staticBinary(): Uint8Array {
  return Uint8Array.from(atob(PIXEL), (char) => char.charCodeAt(0));
}

/**
 * A resource for each id.
 * @resource test://template/{id}/data
 * @mimeType application/json
 * @param id Which one
 */
export function templated(id: string): { id: string; templateTest: boolean; data: string } {
  return { id, templateTest: true, data: `Data for ID: ${id}` };
}

/**
 * A resource that changes.
 * @resource test://watched-resource
 * @mimeType text/plain
 */
export function watchedResource(): string {
  return "Watched resource content";
}
