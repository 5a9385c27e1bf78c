/** Plays the model where there is none: looks into the notebook, and keeps the prompt there. */
import { anthropicTurn, ReplayServer } from "@tsukumo/testing";
import { sceneOf } from "../scripted.mjs";

export function start() {
  return ReplayServer.start({ scheme: "anthropic", turns: answer, chunkSize: 60, delayMs: 15 });
}

function answer(request) {
  const { id, prompt, result } = sceneOf(request);
  if (result("names") === undefined)
    return anthropicTurn({ text: "Let me see. ", toolCalls: [{ id: id("names"), name: "listNames", args: {} }] });
  const last = "last question";
  if (result("recall") === undefined)
    return anthropicTurn({
      toolCalls: [
        { id: id("recall"), name: "recall", args: { key: last } },
        { id: id("remember"), name: "remember", args: { key: last, text: prompt } },
      ],
    });
  return anthropicTurn({
    text: `You asked "${prompt}". What the notebook had of your last question: ${result("recall")}`,
  });
}
