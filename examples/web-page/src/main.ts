/** The page: the worker and its tools run here, and the model is asked through the page's own server. */
import { anthropic } from "@tsukumo/client/anthropic";
import { toolDefinitions } from "@tsukumo/tool";
import { Worker, WorkerError } from "@tsukumo/worker";
import { Talk } from "./talk.js";
import * as clock from "./tools/clock.js";
import * as page from "./tools/page.js";

declare const MODEL: string;

const agent = Worker.create(anthropic({ model: MODEL, baseUrl: `${location.origin}/model` }), {
  systemPrompt: "You live in a web page. Use your tools to show what you mean. Be brief.",
  tools: [...toolDefinitions(clock), ...toolDefinitions(page)],
  maxTurns: 10,
}).lock();

const talk = new Talk(find("#talk"));
const form = find<HTMLFormElement>("form");
const prompt = find<HTMLInputElement>("[name=prompt]");
const send = find<HTMLButtonElement>("[name=send]");
const stop = find<HTMLButtonElement>("[name=stop]");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!agent.running) void turn(prompt.value);
});
stop.addEventListener("click", () => agent.cancel("stopped"));

async function turn(text: string): Promise<void> {
  form.reset();
  [send.hidden, stop.hidden] = [true, false];
  talk.say("user", text);
  try {
    for await (const event of agent.stream(text)) talk.show(event);
  } catch (error) {
    if (!(error instanceof WorkerError)) throw error;
    talk.say("problem", error.message);
  } finally {
    [send.hidden, stop.hidden] = [false, true];
    prompt.focus();
  }
}

function find<T extends HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}
