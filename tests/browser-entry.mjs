/** Everything that a user ships, in one bundle; `run` lets a worker use a compiled tool and tells what happened. */
import { schemes } from "@tsukumo/client";
import { anthropic } from "@tsukumo/client/anthropic";
import * as compatible from "@tsukumo/client/compatible";
import * as gemini from "@tsukumo/client/gemini";
import * as ollama from "@tsukumo/client/ollama";
import * as openai from "@tsukumo/client/openai";
import * as sse from "@tsukumo/client/sse";
import * as filters from "@tsukumo/template/filters";
import { ToolRegistry, toolDefinitions } from "@tsukumo/tool";
import * as adapters from "@tsukumo/tool/adapters";
import * as dialects from "@tsukumo/tool/dialects";
import * as runtime from "@tsukumo/tool/runtime";
import * as sanitize from "@tsukumo/tool/sanitize";
import * as spill from "@tsukumo/tool/spill";
import * as truncation from "@tsukumo/tool/truncation";
import { Worker } from "@tsukumo/worker";
import * as weather from "../fixtures/demo/dist/tools/weather.js";

export const modules = {
  adapters,
  compatible,
  dialects,
  filters,
  gemini,
  ollama,
  openai,
  runtime,
  sanitize,
  spill,
  sse,
  truncation,
};

/** `answers`: the text of each response, in order. */
export async function run(answers) {
  const bodies = [];
  const fetch = async (_url, { body }) => {
    const bytes = new TextEncoder().encode(answers[bodies.length]);
    bodies.push(body);
    const stream = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 100) controller.enqueue(bytes.subarray(at, at + 100));
        controller.close();
      },
    });
    return new Response(stream, { status: 200, headers: { "content-type": "text/event-stream" } });
  };
  const tools = toolDefinitions(weather);
  const worker = Worker.create(anthropic({ model: "m", apiKey: "k", fetch }), { tools });
  const { text } = await worker.run("How warm is it in Kyoto?");
  const refused = await ToolRegistry.of(...tools)
    .dispatch("getWeather", { location: 5 })
    .catch((error) => error.message);
  const cleaned = sanitize.sanitizeTokens("a <|im_start|> b");
  const joined = filters.upper("abc");
  return { text, bodies, refused, cleaned, joined, schemes: Object.keys(schemes) };
}
