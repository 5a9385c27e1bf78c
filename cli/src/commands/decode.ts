import { ClientError, type Event } from "@tsukumo/client";
import { defineCommand } from "citty";
import { CliError, UsageError } from "../failure.js";
import { readBytes } from "../input.js";
import { schemeNamed, schemeNames } from "../schemes.js";

export const decode = defineCommand({
  meta: { name: "decode", description: "Turn recorded provider bytes into events, one JSON object a line" },
  args: {
    scheme: {
      type: "string",
      required: true,
      valueHint: "name",
      description: `The wire format: ${schemeNames.join(", ")}`,
    },
    file: { type: "positional", required: false, description: "The recorded bytes; - or nothing reads standard input" },
    chunk: {
      type: "string",
      valueHint: "bytes",
      description: "Feed the decoder this many bytes at a time; default all at once",
    },
  },
  async run({ args }) {
    const decoder = schemeNamed(args.scheme).decoder();
    const bytes = await readBytes(args.file);
    const size = args.chunk === undefined ? Math.max(1, bytes.length) : Number(args.chunk);
    if (!Number.isInteger(size) || size < 1)
      throw new UsageError(`--chunk takes a whole number of bytes, not ${args.chunk}.`);
    try {
      for (let at = 0; at < bytes.length; at += size) print(decoder.push(bytes.subarray(at, at + size)));
      print(decoder.end());
    } catch (error) {
      if (error instanceof ClientError) throw new CliError(`${error.code}: ${error.message}`, { cause: error });
      throw error;
    }
  },
});

function print(events: readonly Event[]): void {
  if (events.length > 0) process.stdout.write(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
}
