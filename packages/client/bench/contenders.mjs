/** Everything that turns the bytes of a stream into objects. Each takes chunks and gives the number of events. */

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { streamText } from "ai";
import { createParser } from "eventsource-parser";
import { events as fetchEventStream } from "fetch-event-stream";
import OpenAI from "openai";
import { schemes } from "../dist/index.js";
import { anthropic } from "../dist/provider/anthropic.js";
import { gemini } from "../dist/provider/gemini.js";
import { ollama } from "../dist/provider/ollama.js";
import { openai } from "../dist/provider/openai.js";

const PROMPT = [{ role: "user", content: "Hi" }];

function bodyOf(chunks) {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at < chunks.length) controller.enqueue(chunks[at++]);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

function mockFetch(scheme, chunks) {
  const type = scheme === "ollama" ? "application/x-ndjson" : "text/event-stream";
  return async () => new Response(bodyOf(chunks), { status: 200, headers: { "content-type": type } });
}

async function count(iterable) {
  let events = 0;
  for await (const _ of iterable) events++;
  return events;
}

const limit = {
  name: "TextDecoder alone (limit)",
  run(_scheme, chunks) {
    const decoder = new TextDecoder();
    let length = 0;
    for (const chunk of chunks) length += decoder.decode(chunk, { stream: true }).length;
    return length > 0 ? 0 : 1;
  },
};

const decoder = {
  name: "tsukumo decoder",
  run(scheme, chunks) {
    const decoder = schemes[scheme].decoder();
    let events = 0;
    for (const chunk of chunks) events += decoder.push(chunk).length;
    return events + decoder.end().length;
  },
};

const reference = {
  name: "tsukumo decoder, JSON.parse only",
  run(scheme, chunks) {
    const decoder = schemes[scheme].decoder({ reference: true });
    let events = 0;
    for (const chunk of chunks) events += decoder.push(chunk).length;
    return events + decoder.end().length;
  },
};

const PROVIDERS = {
  "openai-chat": (options) => openai(options),
  "openai-responses": (options) => openai({ ...options, api: "responses" }),
  anthropic,
  gemini,
  ollama,
};

const client = {
  name: "tsukumo client",
  async run(scheme, chunks) {
    const llm = PROVIDERS[scheme]({ model: "m", apiKey: "k", fetch: mockFetch(scheme, chunks) });
    let events = 0;
    for await (const batch of llm.stream({ items: [], tools: [], config: {} })) events += batch.length;
    return events;
  },
};

const eventsourceParser = {
  name: "eventsource-parser + JSON.parse",
  schemes: ["openai-chat", "anthropic", "openai-responses", "gemini"],
  run(_scheme, chunks) {
    let events = 0;
    const parser = createParser({
      onEvent(event) {
        if (event.data !== "[DONE]" && JSON.parse(event.data) !== undefined) events++;
      },
    });
    const decoder = new TextDecoder();
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
    return events;
  },
};

const splitLines = {
  name: "split lines + JSON.parse",
  schemes: ["ollama"],
  run(_scheme, chunks) {
    const decoder = new TextDecoder();
    let rest = "";
    let events = 0;
    for (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop();
      for (const line of lines) if (JSON.parse(line) !== undefined) events++;
    }
    return events;
  },
};

const generic = {
  name: "fetch-event-stream + JSON.parse",
  schemes: ["openai-chat", "anthropic", "openai-responses", "gemini"],
  async run(_scheme, chunks) {
    let events = 0;
    for await (const event of fetchEventStream(new Response(bodyOf(chunks)))) {
      if (event.data !== undefined && event.data !== "[DONE]" && JSON.parse(event.data) !== undefined) events++;
    }
    return events;
  },
};

const official = {
  name: "official client",
  schemes: ["openai-chat", "anthropic", "openai-responses", "gemini"],
  async run(scheme, chunks) {
    const fetch = mockFetch(scheme, chunks);
    switch (scheme) {
      case "openai-chat":
        return count(
          await new OpenAI({ apiKey: "k", fetch }).chat.completions.create({
            model: "m",
            stream: true,
            messages: PROMPT,
          }),
        );
      case "openai-responses":
        return count(
          await new OpenAI({ apiKey: "k", fetch }).responses.create({ model: "m", stream: true, input: "Hi" }),
        );
      case "anthropic":
        return count(
          await new Anthropic({ apiKey: "k", fetch }).messages.create({
            model: "m",
            max_tokens: 9,
            stream: true,
            messages: PROMPT,
          }),
        );
      case "gemini":
        // This client takes no fetch of one's own.
        return withGlobalFetch(fetch, async () =>
          count(await new GoogleGenAI({ apiKey: "k" }).models.generateContentStream({ model: "m", contents: "Hi" })),
        );
    }
  },
};

const aiSdk = {
  name: "AI SDK streamText",
  // Some recordings make it throw outside of any promise that could be caught.
  recordings: false,
  schemes: ["openai-chat", "anthropic", "openai-responses", "gemini"],
  run(scheme, chunks) {
    const options = { apiKey: "k", fetch: mockFetch(scheme, chunks) };
    const models = {
      "openai-chat": () => createOpenAI(options).chat("m"),
      "openai-responses": () => createOpenAI(options).responses("m"),
      anthropic: () => createAnthropic(options)("m"),
      gemini: () => createGoogleGenerativeAI(options)("m"),
    };
    return count(
      streamText({ model: models[scheme](), prompt: "Hi", maxRetries: 0, maxOutputTokens: 99, onError() {} })
        .fullStream,
    );
  },
};

async function withGlobalFetch(fetch, run) {
  const before = globalThis.fetch;
  globalThis.fetch = fetch;
  try {
    return await run();
  } finally {
    globalThis.fetch = before;
  }
}

export const CONTENDERS = [limit, decoder, client, reference, eventsourceParser, splitLines, generic, official, aiSdk];
