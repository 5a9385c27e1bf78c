/** An agent at the edge: POST {"prompt": "…"} and the answer streams back as server-sent events. */
import { answer, type Env } from "./agent.js";

const LONGEST_PROMPT = 4_000;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const prompt = await promptOf(request);
    if (prompt instanceof Response) return prompt;
    // The signal is aborted when the client is gone.
    return new Response(answer(prompt, env, request.signal), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  },
};

async function promptOf(request: Request): Promise<string | Response> {
  if (request.method !== "POST")
    return new Response("POST a prompt as JSON.\n", { status: 405, headers: { allow: "POST" } });
  const body: unknown = await request.json().catch(() => undefined);
  const prompt = typeof body === "object" && body !== null && "prompt" in body ? body.prompt : undefined;
  if (typeof prompt === "string" && prompt !== "" && prompt.length <= LONGEST_PROMPT) return prompt;
  return new Response(`Send {"prompt": "…"}, at most ${LONGEST_PROMPT} characters.\n`, { status: 400 });
}
