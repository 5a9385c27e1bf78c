/** A scripted turn as OpenAI's Responses API streams it. */
import { argumentsText, DEFAULT_USAGE, pieces, type ScriptedTurn, sse } from "./turn.js";

export function openaiResponsesTurn(turn: ScriptedTurn): string {
  const stream = new ResponsesStream(turn);
  const envelope = { id: turn.id ?? "resp_1", object: "response", model: turn.model ?? "gpt-test", error: null };
  stream.event("response.created", { response: { ...envelope, status: "in_progress", output: [], usage: null } });
  stream.event("response.in_progress", { response: { ...envelope, status: "in_progress", output: [], usage: null } });
  if (turn.thinking !== undefined) stream.reasoning(turn.thinking);
  if (turn.text !== undefined) stream.message(turn.text);
  for (const call of turn.toolCalls ?? []) stream.call(call.id, call.name, argumentsText(call));
  // "completed", or the reason of an incomplete response.
  const reason = turn.stopReason ?? "completed";
  const status = reason === "completed" ? "completed" : "incomplete";
  const details = status === "completed" ? null : { reason };
  const response = { ...envelope, status, incomplete_details: details, output: stream.output, usage: usageOf(turn) };
  stream.event(`response.${status}`, { response });
  return stream.text;
}

class ResponsesStream {
  text = "";
  readonly output: object[] = [];
  readonly #turn: ScriptedTurn;
  #sequence = 0;

  constructor(turn: ScriptedTurn) {
    this.#turn = turn;
  }

  event(type: string, fields: object): void {
    this.text += sse({ type, ...fields, sequence_number: this.#sequence++ }, type);
  }

  reasoning(text: string): void {
    const item = { id: "rs_1", type: "reasoning" };
    const at = this.#added({ ...item, summary: [] });
    const part = { item_id: item.id, output_index: at, summary_index: 0 };
    this.event("response.reasoning_summary_part.added", { ...part, part: { type: "summary_text", text: "" } });
    this.#deltas("response.reasoning_summary_text.delta", part, text);
    this.event("response.reasoning_summary_text.done", { ...part, text });
    this.event("response.reasoning_summary_part.done", { ...part, part: { type: "summary_text", text } });
    this.#done(at, { ...item, summary: [{ type: "summary_text", text }], encrypted_content: "ZW5jcnlwdGVk" });
  }

  message(text: string): void {
    const item = { id: "msg_1", type: "message", role: "assistant" };
    const at = this.#added({ ...item, status: "in_progress", content: [] });
    const part = { item_id: item.id, output_index: at, content_index: 0 };
    const empty = { type: "output_text", annotations: [], logprobs: [], text: "" };
    this.event("response.content_part.added", { ...part, part: empty });
    this.#deltas("response.output_text.delta", { ...part, logprobs: [] }, text);
    this.event("response.output_text.done", { ...part, text, logprobs: [] });
    this.event("response.content_part.done", { ...part, part: { ...empty, text } });
    this.#done(at, { ...item, status: "completed", content: [{ ...empty, text }] });
  }

  call(id: string, name: string, text: string): void {
    const item = { id: `fc_${id}`, type: "function_call", call_id: id, name };
    const at = this.#added({ ...item, status: "in_progress", arguments: "" });
    const part = { item_id: item.id, output_index: at };
    this.#deltas("response.function_call_arguments.delta", part, text);
    this.event("response.function_call_arguments.done", { ...part, arguments: text });
    this.#done(at, { ...item, status: "completed", arguments: text });
  }

  #deltas(type: string, part: object, text: string): void {
    for (const delta of pieces(text, this.#turn.deltaSize)) this.event(type, { ...part, delta });
  }

  #added(item: object): number {
    const at = this.output.length;
    this.event("response.output_item.added", { output_index: at, item });
    return at;
  }

  #done(at: number, item: object): void {
    this.output.push(item);
    this.event("response.output_item.done", { output_index: at, item });
  }
}

function usageOf(turn: ScriptedTurn): object {
  const usage = turn.usage ?? DEFAULT_USAGE;
  const input = usage.inputTokens ?? 0;
  const output = usage.outputTokens ?? 0;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: input + output,
  };
}
