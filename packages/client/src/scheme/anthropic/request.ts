/**
 * Request to the body of Anthropic Messages. The conversation comes last, so that a longer history only appends.
 * @see https://platform.claude.com/docs/en/api/messages
 */
import type { JsonObject } from "../../json.js";
import type { LlmToolDefinition, Request, RequestConfig } from "../../request.js";
import type { EncodeOptions } from "../../scheme.js";
import { bodyText, JsonText, KeptText, listText } from "../kept-text.js";
import { TurnText } from "../turn-text.js";
import { leadingSystem, type Turn } from "../turns.js";
import { assistantBlocks, partBlocks, userBlocks } from "./content.js";
import { refusesSampling, thinking, thinkingBudget } from "./model.js";

/** The provider demands a limit; this one every model can do. */
const DEFAULT_MAX_TOKENS = 4096;

const toolTexts = new KeptText<Request["tools"]>();
const eagerToolTexts = new KeptText<Request["tools"]>();
const turnTexts = new TurnText(turnMessages);

export function encode(request: Request, options: EncodeOptions): string {
  const { config } = request;
  const cache = cacheControl(config);
  const leading = leadingSystem(request.items);
  const system = [
    ...(request.systemPrompt === undefined || request.systemPrompt === ""
      ? []
      : [{ type: "text", text: request.systemPrompt }]),
    ...leading.flatMap((item) => partBlocks(item.content)),
  ];
  return bodyText({
    model: options.model,
    // A budget is a part of the limit, not beside it.
    max_tokens: config.maxTokens ?? DEFAULT_MAX_TOKENS + (thinkingBudget(config, options.model) ?? 0),
    stream: options.stream ?? true,
    ...(refusesSampling(options.model)
      ? {}
      : { temperature: config.temperature, top_p: config.topP, top_k: config.topK }),
    stop_sequences: config.stopSequences,
    thinking: thinking(config, options.model),
    output_config: outputConfig(config, options.model),
    // The server moves this breakpoint to the end of the conversation by itself: the bytes of the prefix stay the same.
    cache_control: cache,
    ...config.extra,
    system: system.length === 0 ? undefined : markLast(system, cache),
    tools: request.tools.length === 0 ? undefined : toolsText(request.tools, cache, options),
    tool_choice: request.tools.length === 0 ? undefined : toolChoice(config),
    messages: listText(turnTexts.of(request.items, leading.length)),
  });
}

function turnMessages(turn: Turn): JsonObject[] {
  const content = turn.role === "assistant" ? assistantBlocks(turn.items) : userBlocks(turn.items);
  return content.length === 0 ? [] : [{ role: turn.role, content }];
}

/** The breakpoint goes into the last tool, at its end. */
function toolsText(tools: Request["tools"], cache: JsonObject | undefined, options: EncodeOptions): JsonText {
  const texts = options.eagerToolInput === true ? eagerToolTexts : toolTexts;
  const text = texts.of(tools, () => JSON.stringify(tools.map((tool) => encodeTool(tool, options))));
  return new JsonText(cache === undefined ? text : `${text.slice(0, -2)},"cache_control":${JSON.stringify(cache)}}]`);
}

function encodeTool(tool: LlmToolDefinition, options: EncodeOptions): JsonObject {
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    input_schema: tool.inputSchema,
    ...(tool.strict === undefined ? {} : { strict: tool.strict }),
    ...(options.eagerToolInput === true ? { eager_input_streaming: true } : {}),
  };
}

function toolChoice(config: RequestConfig): JsonObject | undefined {
  const choice = config.toolChoice;
  const parallel = config.parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (choice === undefined) return config.parallelToolCalls === false ? { type: "auto", ...parallel } : undefined;
  if (typeof choice === "object") return { type: "tool", name: choice.name, ...parallel };
  switch (choice) {
    case "auto":
      return { type: "auto", ...parallel };
    case "required":
      return { type: "any", ...parallel };
    case "none":
      return { type: "none" };
  }
}

function outputConfig(config: RequestConfig, model: string): JsonObject | undefined {
  const reasoning = config.reasoning;
  const isTold = reasoning !== undefined && "effort" in reasoning && thinkingBudget(config, model) === undefined;
  const effort = isTold && reasoning.effort !== "none" ? reasoning.effort : undefined;
  const output: JsonObject = {
    ...(effort === undefined ? {} : { effort: effort === "minimal" ? "low" : effort }),
    ...(config.responseFormat === undefined
      ? {}
      : { format: { type: "json_schema", schema: config.responseFormat.schema } }),
  };
  return Object.keys(output).length === 0 ? undefined : output;
}

function cacheControl(config: RequestConfig): JsonObject | undefined {
  if (config.cache === undefined) return undefined;
  return config.cache.ttl === undefined ? { type: "ephemeral" } : { type: "ephemeral", ttl: config.cache.ttl };
}

/** A breakpoint after the last element. */
function markLast(blocks: readonly JsonObject[], cache: JsonObject | undefined): JsonObject[] {
  return blocks.map((block, index) =>
    cache !== undefined && index === blocks.length - 1 ? { ...block, cache_control: cache } : block,
  );
}
