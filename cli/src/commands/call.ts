import { ToolContext, ToolError } from "@tsukumo/tool";
import { defineCommand } from "citty";
import { readText } from "../input.js";
import { loadTools } from "../load-tools.js";
import { loadProject } from "../project.js";

export const call = defineCommand({
  meta: { name: "call", description: "Run one tool; exit 0, or 1 with the ToolError as JSON on stderr" },
  args: {
    path: { type: "positional", required: true, description: "A TypeScript file or a folder of tools" },
    tool: { type: "positional", required: true, description: "The tool's name" },
    arguments: {
      type: "positional",
      required: false,
      description: "The arguments as JSON, or - to read them from standard input; none means {}",
    },
    json: { type: "boolean", description: "Print {content, structured, metadata} instead of the content" },
  },
  async run({ args }) {
    const registry = await loadTools(loadProject(args.path));
    const text = args.arguments === "-" ? await readText("-") : (args.arguments ?? "");
    const interrupt = new AbortController();
    const onInterrupt = (): void => interrupt.abort();
    process.once("SIGINT", onInterrupt);
    try {
      const output = await registry.dispatch(args.tool, text, new ToolContext({ signal: interrupt.signal }));
      const { content, structured, metadata } = output;
      process.stdout.write(`${args.json === true ? JSON.stringify({ content, structured, metadata }) : content}\n`);
    } catch (thrown) {
      process.stderr.write(`${JSON.stringify(ToolError.from(thrown))}\n`);
      process.exitCode = 1;
    } finally {
      process.off("SIGINT", onInterrupt);
    }
  },
});
