/** The wire formats as the command line names them. */
import { type Scheme, schemes } from "@tsukumo/client";
import { UsageError } from "./failure.js";

export const schemeNames: readonly string[] = Object.keys(schemes);

/** `openai_chat` and `openai-chat` are the same. @throws {UsageError} */
export function schemeNamed(name: string): Scheme {
  const wanted = name.replaceAll("_", "-");
  const found = Object.entries(schemes).find(([known]) => known === wanted)?.[1];
  if (found === undefined) throw new UsageError(`There is no scheme ${name}. Known are: ${schemeNames.join(", ")}.`);
  return found;
}
