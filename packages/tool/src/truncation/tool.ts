/** A tool whose outputs never exceed a budget. */
import type { ToolDefinition } from "../definition.js";
import { ToolOutput } from "../output.js";
import { effectiveSanitization, sanitizeTokens } from "../sanitize/index.js";
import { byteLength, isLongerThan } from "./bytes.js";
import { checkPolicy, type SpillPolicy } from "./policy.js";
import { cut, type Truncation, tryToRetain } from "./truncate.js";

/**
 * The same tool with its output cut to the policy. Unless the tool says `sanitize: "none"`, the output is sanitised
 * before it is kept and cut: byte offsets in the marker then hold for what is recalled, and the registry's floor adds
 * nothing to the length. A structured value is left out where the text was cut, because it would carry all of it;
 * `metadata.truncation` tells what was left out.
 * @throws {RangeError} for a `maxBytes` that is none
 */
export function truncated(definition: ToolDefinition, policy: SpillPolicy): ToolDefinition {
  checkPolicy(policy);
  return () => {
    const [meta, tool] = definition();
    // A quarantine is put around the result by the registry; the budget is for what is inside.
    const sanitize = effectiveSanitization(meta.sanitize, "none") === "none" ? unchanged : sanitizeTokens;
    return [
      meta,
      {
        execute: async (inputJson, context) => {
          const output = ToolOutput.from(await tool.execute(inputJson, context));
          const text = sanitize(output.content);
          if (!isLongerThan(text, policy.maxBytes)) return output;
          const kept = await tryToRetain(text, policy, { toolName: meta.name });
          const result = cutToFit(policy, (budget) => cut(text, budget, kept.retention), sanitize);
          const { originalBytes, omitted } = result;
          const truncation = {
            originalBytes,
            ...(omitted === undefined ? {} : { omitted }),
            ...(kept.ref === undefined ? {} : { ref: kept.ref }),
            ...(kept.spillError === undefined ? {} : { spillError: kept.spillError.code }),
          };
          return new ToolOutput(result.text, { metadata: { ...output.metadata, truncation } });
        },
      },
    ];
  };
}

/** Cuts so that the result is in budget after sanitising too: a cut can turn `<thinker` into `<think`. */
function cutToFit(
  policy: SpillPolicy,
  cutTo: (policy: SpillPolicy) => Truncation,
  sanitize: (text: string) => string,
): Truncation {
  let { maxBytes } = policy;
  for (;;) {
    const result = cutTo({ ...policy, maxBytes });
    const text = sanitize(result.text);
    const over = byteLength(text) - policy.maxBytes;
    if (over <= 0) return { ...result, text };
    maxBytes = Math.max(0, maxBytes - over);
  }
}

function unchanged(text: string): string {
  return text;
}
