/**
 * Request to the body of Anthropic Messages. The conversation comes last, so that a longer history only appends.
 * @see https://platform.claude.com/docs/en/api/messages
 */
import type { Item } from "../../item.js";
import type { JsonObject } from "../../json.js";
import type { LlmToolDefinition, Request, RequestConfig } from "../../request.js";
import type { EncodeOptions } from "../../scheme.js";
import { withExtraTools } from "../extra-tools.js";
import { bodyText, jsonText, KeptText, listText } from "../kept-text.js";
import { TurnText } from "../turn-text.js";
import { leadingSystem, type Turn } from "../turns.js";
import { assistantBlocks, partBlocks, userBlocks } from "./content.js";
import { refusesSampling, type Thinking, thinkingOf } from "./model.js";

/** The provider demands a limit; this one every model can do. */
const DEFAULT_MAX_TOKENS = 4096;

const toolTexts = new KeptText<Request["tools"]>();
const eagerToolTexts = new KeptText<Request["tools"]>();
const turnTexts = new TurnText(turnMessages);

export function encode(request: Request, options: EncodeOptions): string {
  const { config } = request;
  const extra = config.extra ?? {};
  const hasTools = request.tools.length > 0;
  const cache = cacheControl(config);
  const thinking = thinkingOf(config, options.model);
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
    max_tokens: config.maxTokens ?? DEFAULT_MAX_TOKENS + (thinking?.budget ?? 0),
    stream: options.stream ?? true,
    ...(refusesSampling(options.model)
      ? {}
      : { temperature: config.temperature, top_p: config.topP, top_k: config.topK }),
    stop_sequences: config.stopSequences,
    thinking: thinkingField(thinking, request),
    output_config: outputConfig(config, thinking),
    // The server moves this breakpoint to the end of the conversation by itself: the bytes of the prefix stay the same.
    cache_control: cache,
    ...extra,
    system: system.length === 0 ? undefined : markLast(system, cache),
    tools: withExtraTools(hasTools ? toolsText(request.tools, cache, options) : undefined, extra.tools),
    tool_choice: (hasTools ? toolChoice(config) : undefined) ?? extra.tool_choice,
    messages: listText(turnTexts.of(request.items, leading.length)),
  });
}

function turnMessages(turn: Turn): JsonObject[] {
  const content = turn.role === "assistant" ? assistantBlocks(turn.items) : userBlocks(turn.items);
  return content.length === 0 ? [] : [{ role: turn.role, content }];
}

/** The breakpoint goes into the last tool, at its end. */
function toolsText(tools: Request["tools"], cache: JsonObject | undefined, options: EncodeOptions): string {
  const texts = options.eagerToolInput === true ? eagerToolTexts : toolTexts;
  const text = texts.of(tools, () => jsonText(tools.map((tool) => encodeTool(tool, options))));
  return cache === undefined ? text : `${text.slice(0, -2)},"cache_control":${jsonText(cache)}}]`;
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

function thinkingField(thinking: Thinking | undefined, { items }: Request): JsonObject | undefined {
  if (thinking === undefined) return undefined;
  if (thinking.budget === undefined) return { type: thinking.type };
  return continuesWithoutThought(items) ? undefined : { type: thinking.type, budget_tokens: thinking.budget };
}

/** The last answer calls tools and does not begin with thinking: models that think by a budget refuse to go on from it. */
function continuesWithoutThought(items: readonly Item[]): boolean {
  const end = items.findLastIndex(isOfAssistant) + 1;
  let start = end;
  for (let item = items[start - 1]; item !== undefined && isOfAssistant(item); item = items[start - 1]) start--;
  const answer = items.slice(start, end);
  const [first] = answer;
  if (!answer.some((item) => item.type === "function_call")) return false;
  return first?.type !== "reasoning" || assistantBlocks([first]).length === 0;
}

function isOfAssistant(item: Item): boolean {
  return (
    item.type === "function_call" || item.type === "reasoning" || (item.type === "message" && item.role === "assistant")
  );
}

function outputConfig(config: RequestConfig, thinking: Thinking | undefined): JsonObject | undefined {
  const reasoning = config.reasoning;
  const isTold = reasoning !== undefined && "effort" in reasoning && thinking?.type === "adaptive";
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
