/** A scripted answer of a model, before a scheme gives it its bytes. */
import type { Usage } from "@tsukumo/client";

export interface ScriptedTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** In the provider's own words; default: what fits the content. */
  readonly stopReason?: string;
  readonly usage?: Pick<
    Usage,
    "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "reasoningTokens"
  >;
  /** Characters a delta; default 16. */
  readonly deltaSize?: number;
  readonly model?: string;
  /** The response's id. */
  readonly id?: string;
}

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** An object, or JSON text as the model would write it; left out: no arguments at all. */
  readonly args?: object | string;
}

export const DEFAULT_USAGE: Usage = { inputTokens: 10, outputTokens: 5 };

/** The text in pieces as a model would send it, never within a character. */
export function pieces(text: string, size = 16): string[] {
  const characters = [...text];
  const result: string[] = [];
  for (let at = 0; at < characters.length; at += size) result.push(characters.slice(at, at + size).join(""));
  return result;
}

/** The arguments as text; `""` where there are none. */
export function argumentsText(call: ScriptedCall): string {
  if (call.args === undefined) return "";
  return typeof call.args === "string" ? call.args : JSON.stringify(call.args);
}

/** One server-sent event. */
export function sse(data: object | string, name?: string): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}
