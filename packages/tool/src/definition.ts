/** The contract between a tool and whoever runs it. */
import type { ToolContext } from "./context.js";
import type { ToolMeta } from "./meta.js";
import type { ToolOutput } from "./output.js";

/** The logic alone, no metadata. May hold state; is run in parallel with itself. */
export interface Tool {
  /**
   * Runs the tool.
   * @param inputJson the arguments as JSON text; `""` and `"null"` mean `{}`
   * @throws {ToolError} and nothing else, where the tool is a generated one
   */
  execute(inputJson: string, context: ToolContext): Promise<ToolOutput>;
}

/** A factory, called exactly once, at registration; what it closes over is the tool's context. */
export type ToolDefinition = () => readonly [ToolMeta, Tool];
