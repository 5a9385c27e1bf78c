/** The streams that the benchmark reads: one answer a scheme, long enough to time, in the shapes of the recordings. */

const WORDS =
  'The quick brown fox jumps over the lazy dog while seven wizards quietly judge a box of very old liquor jugs ; it said "no" .\n'.split(
    / /,
  );
const PADDING = "abcdefghijklmnop";

/** The deltas of an answer: words with their space, as models write them. */
function deltas(count) {
  return Array.from({ length: count }, (_, i) => ` ${WORDS[i % WORDS.length]}`);
}

function sse(data, name) {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

export function openaiChat(count) {
  const envelope = {
    id: "chatcmpl-CvF9oQm1rT2sVx3yZa4bCd5eFg6hI",
    object: "chat.completion.chunk",
    created: 1_768_000_000,
    model: "gpt-4o-mini-2024-07-18",
    service_tier: "default",
    system_fingerprint: "fp_29330a9688",
  };
  const chunk = (delta, finish_reason, i) =>
    sse({
      ...envelope,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      usage: null,
      obfuscation: PADDING.slice(0, 1 + (i % 15)),
    });
  const usage = { prompt_tokens: 20, completion_tokens: count, total_tokens: count + 20 };
  return [
    chunk({ role: "assistant", content: "", refusal: null }, null, 0),
    ...deltas(count).map((content, i) => chunk({ content }, null, i)),
    chunk({}, "stop", 3),
    sse({ ...envelope, choices: [], usage, obfuscation: "x" }),
    "data: [DONE]\n\n",
  ].join("");
}

export function anthropic(count) {
  const event = (data) => sse(data, data.type);
  return [
    event({
      type: "message_start",
      message: {
        model: "claude-haiku-4-5-20251001",
        id: "msg_01",
        type: "message",
        role: "assistant",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
      },
    }),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    event({ type: "ping" }),
    ...deltas(count).map((text, i) =>
      // The server pads its events with spaces before the last brace.
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }).replace(
        "}\n\n",
        `${" ".repeat(i % 12)}}\n\n`,
      ),
    ),
    event({ type: "content_block_stop", index: 0 }),
    event({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: count },
    }),
    event({ type: "message_stop" }),
  ].join("");
}

export function openaiResponses(count) {
  const item = {
    id: "msg_0aaf16e71ffb5fd70069",
    type: "message",
    status: "in_progress",
    content: [],
    role: "assistant",
  };
  const part = { item_id: item.id, output_index: 0, content_index: 0 };
  const response = {
    id: "resp_0aaf",
    object: "response",
    status: "in_progress",
    model: "gpt-4.1",
    output: [],
    usage: null,
  };
  const text = deltas(count).join("");
  let sequence_number = 0;
  const event = (type, fields) => sse({ type, sequence_number: sequence_number++, ...fields }, type);
  return [
    event("response.created", { response }),
    event("response.output_item.added", { output_index: 0, item }),
    event("response.content_part.added", {
      ...part,
      part: { type: "output_text", annotations: [], logprobs: [], text: "" },
    }),
    ...deltas(count).map((delta, i) =>
      event("response.output_text.delta", {
        ...part,
        delta,
        logprobs: [],
        obfuscation: PADDING.slice(0, 1 + (i % 15)),
      }),
    ),
    event("response.output_text.done", { ...part, text, logprobs: [] }),
    event("response.output_item.done", {
      output_index: 0,
      item: { ...item, status: "completed", content: [{ type: "output_text", annotations: [], logprobs: [], text }] },
    }),
    event("response.completed", {
      response: {
        ...response,
        status: "completed",
        usage: { input_tokens: 20, output_tokens: count, total_tokens: count + 20 },
      },
    }),
  ].join("");
}

/** Gemini sends fewer and longer pieces, each with all counts so far. */
export function gemini(count) {
  const words = deltas(count);
  const chunks = [];
  for (let at = 0; at < words.length; at += 12) {
    const isLast = at + 12 >= words.length;
    const candidate = { content: { parts: [{ text: words.slice(at, at + 12).join("") }], role: "model" }, index: 0 };
    chunks.push(
      sse({
        candidates: [isLast ? { ...candidate, finishReason: "STOP" } : candidate],
        usageMetadata: {
          promptTokenCount: 20,
          candidatesTokenCount: at,
          totalTokenCount: at + 20,
          promptTokensDetails: [{ modality: "TEXT", tokenCount: 20 }],
        },
        modelVersion: "gemini-2.5-flash",
        responseId: "rAh9aZ2kF4Sxvr0Pz5bQ-A4",
      }),
    );
  }
  return chunks.join("");
}

export function ollama(count) {
  const line = (message, rest, i) =>
    `${JSON.stringify({ model: "qwen3:4b", created_at: `2026-08-17T15:59:50.${100_000 + (i % 900_000)}Z`, message: { role: "assistant", ...message }, ...rest })}\n`;
  return [
    ...deltas(count).map((content, i) => line({ content }, { done: false }, i)),
    line({ content: "" }, { done: true, done_reason: "stop", prompt_eval_count: 20, eval_count: count }, 1),
  ].join("");
}

export const STREAMS = { "openai-chat": openaiChat, anthropic, "openai-responses": openaiResponses, gemini, ollama };
