/** The server that the public conformance suite tests. Port: first argument; 0 takes a free one and prints it. */
import { McpServer } from "@tsukumo/mcp";
import { serveHttp } from "@tsukumo/mcp/node";
import {
  promptDefinitions,
  resourceDefinitions,
  type ToolDefinition,
  ToolOutput,
  ToolRegistry,
  toolDefinitions,
  toolMeta,
} from "@tsukumo/tool";
import * as content from "./content.js";
import * as elicitation from "./elicitation.js";
import * as jobs from "./jobs.js";
import * as prompts from "./prompts.js";
import * as resources from "./resources.js";
import * as rounds from "./rounds.js";
import * as sessions from "./session.js";

const registry = ToolRegistry.of(
  ...[content, elicitation, jobs, rounds, sessions].flatMap((module) => toolDefinitions(module)),
);

/** Schemas and effects that no TypeScript type has are written by hand. */
const byHand = (name: string, inputSchema: object, run: (args: string) => string): ToolDefinition => {
  const meta = toolMeta({ name, inputSchema: JSON.parse(JSON.stringify(inputSchema)) });
  return () => [meta, { execute: async (args) => new ToolOutput(run(args)) }];
};
const nothing = { type: "object", properties: {}, additionalProperties: false };

registry.register(
  byHand(
    "json_schema_2020_12_tool",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    (args) => `JSON Schema 2020-12 tool called with: ${args}`,
  ),
  byHand(
    "test_x_mcp_header",
    {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" }, query: { type: "string" } },
      required: ["region"],
    },
    (args) => args,
  ),
  byHand("test_trigger_tool_change", nothing, () => {
    if (!registry.remove("added_later")) registry.register(byHand("added_later", nothing, () => "late"));
    return "The tools have changed.";
  }),
  byHand("test_trigger_prompt_change", nothing, () => {
    const meta = { name: "added_later", description: "Added later.", inputSchema: { type: "object" } };
    const late = { get: async () => ({ messages: [{ role: "user" as const, content: "late" }] }) };
    if (!server.prompts.remove(meta.name)) server.addPrompts(() => [meta, late]);
    return "The prompts have changed.";
  }),
);

const server = McpServer.builder("tsukumo-conformance", "1.0.0", registry)
  .withPrompts(...promptDefinitions(prompts))
  .withResources(...resourceDefinitions(resources))
  .withOptions({
    completers: {
      test_prompt_with_arguments: {
        arg1: (value) => ["paris", "park", "party"].filter((one) => one.startsWith(value)),
      },
    },
    tasks: {
      slow_compute: "optional",
      failing_job: "required",
      protocol_error_job: "optional",
      confirm_delete: "optional",
      multi_input: "optional",
      test_tool_with_task: "asked",
    },
  })
  .build();

const serving = await serveHttp(server, { port: Number(process.argv[2] ?? 0) });
console.log(serving.url);
process.once("SIGTERM", () => void serving.stop(0));
