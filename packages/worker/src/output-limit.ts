/** Cuts what a tool said to what the model may get. */
import type { ToolCall, ToolResult } from "./call-ledger.js";
import { messageOf } from "./errors.js";
import type { Run } from "./run-context.js";
import { failure, perTool } from "./tool-call.js";

export function limitedOutput(run: Run, call: ToolCall, result: ToolResult): ToolResult {
  const { maxToolOutputBytes, truncate = cutMiddle } = run.limits;
  if (maxToolOutputBytes === undefined) return result;
  const entry = run.tools.get(call.name);
  const maxBytes = entry === undefined ? undefined : perTool(maxToolOutputBytes, entry.meta);
  if (entry === undefined || maxBytes === undefined || fits(result.content, maxBytes)) return result;
  try {
    const content: unknown = truncate(result.content, maxBytes, entry.meta);
    if (typeof content === "string") return { ...result, content };
    return unlimited(run, `it gave ${typeof content}`);
  } catch (thrown) {
    return unlimited(run, messageOf(thrown), thrown);
  }
}

/** The call must have its output all the same, and what is too long must not be it. */
function unlimited(run: Run, why: string, cause?: unknown): ToolResult {
  run.subscribers.warn({ code: "truncate_failed", message: `truncate failed: ${why}`, cause });
  return failure("The tool ran, but its output is too long and could not be shortened.");
}

/** A string of n code units has n to 3n UTF-8 bytes: mostly the length alone decides. */
function fits(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return false;
  return text.length * 3 <= maxBytes || new TextEncoder().encode(text).length <= maxBytes;
}

/** Keeps the beginning and the end, in whole characters. */
function cutMiddle(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  const marker = `\n[… ${bytes.length} bytes, the middle was left out …]\n`;
  const room = maxBytes - new TextEncoder().encode(marker).length;
  if (room <= 0) return decodeWhole(bytes, 0, maxBytes);
  const head = Math.ceil(room / 2);
  return decodeWhole(bytes, 0, head) + marker + decodeWhole(bytes, bytes.length - (room - head), bytes.length);
}

/** The characters that lie wholly between two byte offsets. */
function decodeWhole(bytes: Uint8Array, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isContinuation(bytes[start])) start++;
  while (end > start && isContinuation(bytes[end])) end--;
  return new TextDecoder().decode(bytes.subarray(start, end));
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
