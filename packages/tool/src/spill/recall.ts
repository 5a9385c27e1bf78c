/** A tool that reads kept outputs back, in pieces that a model can take. */
import type { ToolDefinition } from "../definition.js";
import { ToolError } from "../error.js";
import { toolMeta } from "../meta.js";
import { ToolOutput } from "../output.js";
import { decodeArguments } from "../runtime/decode.js";
import { unescapeRef } from "../truncation/marker.js";
import { truncateMiddle } from "../truncation/truncate.js";
import { type Selection, selectBytes, selectLines } from "./select.js";
import type { SpillSink } from "./sink.js";

export interface RecallOptions {
  /** `recall` unless given, which is how the markers name it. */
  readonly name?: string;
  /** Of one answer, in UTF-8; 16384 unless given. */
  readonly maxBytes?: number;
}

interface RecallArguments extends Selection {
  readonly ref: string;
}

/** Room for the line that tells where to go on. */
const FOOTER_BYTES = 128;

const COUNT = { type: "integer", minimum: 0 };

const INPUT_SCHEMA = {
  type: "object",
  properties: {
    ref: { type: "string", description: "The ref from the marker that stands for the omitted part." },
    start: { ...COUNT, description: "First byte to read; 0 unless given." },
    end: { ...COUNT, description: "Byte to stop before; the end of the output unless given." },
    grep: { type: "string", description: "Give only lines that contain this text (no pattern), with line numbers." },
    ignore_case: { type: "boolean", description: "Whether grep ignores case." },
    head: { ...COUNT, description: "Give only so many of the first lines." },
    tail: { ...COUNT, description: "Give only so many of the last lines. Not together with head." },
  },
  required: ["ref"],
  additionalProperties: false,
};

/** The definition of a tool that reads the sink's outputs. */
export function recallTool(sink: SpillSink, options: RecallOptions = {}): ToolDefinition {
  const { name = "recall", maxBytes = 16_384 } = options;
  const meta = toolMeta({
    name,
    description:
      "Reads the output of an earlier call that was too long to show whole. Select by bytes (start, end), by text (grep), or by lines (head, tail).",
    inputSchema: INPUT_SCHEMA,
    effect: "read_only",
  });
  const execute = async (inputJson: string): Promise<ToolOutput> => {
    const args = decodeArguments({ meta, is: isRecallArguments }, inputJson);
    if (!isRecallArguments(args)) throw ToolError.internal("The arguments changed while they were read.");
    if (args.head !== undefined && args.tail !== undefined)
      throw ToolError.invalidArgument("Give head or tail, not both.");
    return new ToolOutput(answer(await kept(sink, args.ref), args, maxBytes));
  };
  return () => [meta, { execute }];
}

async function kept(sink: SpillSink, ref: string): Promise<string> {
  const text = (await sink.recall(ref)) ?? (await sink.recall(unescapeRef(ref)));
  if (text !== undefined) return text;
  const quoted = JSON.stringify(ref.slice(0, 100));
  throw new ToolError("NotFound", `No output is kept under ${quoted}, or it is kept no longer.`, { metadata: { ref } });
}

function answer(whole: string, args: RecallArguments, maxBytes: number): string {
  const range = selectBytes(whole, args.start ?? 0, args.end ?? Number.POSITIVE_INFINITY);
  if (args.grep === undefined && args.head === undefined && args.tail === undefined) {
    if (range.end - range.start <= maxBytes) return range.text;
    const { text, end, total } = selectBytes(whole, range.start, range.start + Math.max(1, maxBytes - FOOTER_BYTES));
    return `${text}\n[bytes ${range.start} to ${end} of ${total}; read on with start=${end}]`;
  }
  const lines = selectLines(range, args);
  if (lines.length === 0) return "[no such lines]";
  const marker = "\n[... {omitted_bytes} bytes of these lines omitted; select fewer ...]\n";
  return truncateMiddle(lines.join("\n"), { maxBytes, alignment: "line", marker }).text;
}

function isRecallArguments(value: unknown): value is RecallArguments {
  if (typeof value !== "object" || value === null || !("ref" in value) || typeof value.ref !== "string") return false;
  return Object.entries(value).every(([key, given]: [string, unknown]) => {
    switch (key) {
      case "ref":
      case "grep":
        return typeof given === "string";
      case "ignore_case":
        return typeof given === "boolean";
      case "start":
      case "end":
      case "head":
      case "tail":
        return typeof given === "number" && Number.isInteger(given) && given >= 0;
      default:
        return false;
    }
  });
}
