/**
 * What a call does to the world: `read_only` changes nothing and may be repeated, `mutating` changes something,
 * `destructive` loses something. `idempotent` in tags and options is an alias of `read_only`.
 */
export type ToolEffect = "read_only" | "mutating" | "destructive";

export const TOOL_EFFECTS: readonly ToolEffect[] = ["read_only", "mutating", "destructive"];

/** Reads an effect as authors write it; undefined where it is none. */
export function parseToolEffect(text: string): ToolEffect | undefined {
  const word = text.trim();
  if (word === "idempotent") return "read_only";
  return TOOL_EFFECTS.find((effect) => effect === word);
}
