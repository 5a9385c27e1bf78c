/** Lists in pages: a cursor is the last name that was given, so lists may change between pages. */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/**
 * The entries after the cursor.
 * @param entries sorted by key, in code unit order
 * @throws {ProtocolError} -32602 for a cursor that this server did not make
 */
export function pageOf<T>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
  size: number,
  cursor: string | undefined,
): Page<T> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const rest = after === undefined ? entries : entries.filter((entry) => keyOf(entry) > after);
  const items = rest.slice(0, size);
  const last = items.at(-1);
  return rest.length > items.length && last !== undefined
    ? { items, nextCursor: encodeCursor(keyOf(last)) }
    : { items };
}

function encodeCursor(key: string): string {
  return `after:${encodeURIComponent(key)}`;
}

function decodeCursor(cursor: string): string {
  try {
    if (cursor.startsWith("after:")) return decodeURIComponent(cursor.slice("after:".length));
  } catch {
    // Falls through to the one error for all foreign cursors.
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor: give the nextCursor of an earlier page.");
}
