import { defineCommand } from "citty";
import { readText } from "../input.js";
import { requestFromJson } from "../request-json.js";
import { schemeNamed, schemeNames } from "../schemes.js";

export const encode = defineCommand({
  meta: { name: "encode", description: "Print the body that a provider gets for a request" },
  args: {
    scheme: {
      type: "string",
      required: true,
      valueHint: "name",
      description: `The wire format: ${schemeNames.join(", ")}`,
    },
    request: {
      type: "positional",
      required: false,
      description: "A Request as JSON; - or nothing reads standard input",
    },
    model: {
      type: "string",
      valueHint: "name",
      description: "The model; default the request's own `model`, or `model`",
    },
  },
  async run({ args }) {
    const scheme = schemeNamed(args.scheme);
    const { request, model } = requestFromJson(await readText(args.request));
    process.stdout.write(`${scheme.encode(request, { model: args.model ?? model ?? "model" })}\n`);
  },
});
