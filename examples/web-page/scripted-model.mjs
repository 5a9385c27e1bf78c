/** Plays the model where there is none: reads the clock, paints the page and writes a list. */
import { anthropicTurn, ReplayServer } from "@tsukumo/testing";
import { sceneOf } from "../scripted.mjs";

export function start() {
  return ReplayServer.start({ scheme: "anthropic", turns: answer, chunkSize: 60, delayMs: 25 });
}

function answer(request) {
  const { id, result } = sceneOf(request);
  const clock = result("clock");
  if (clock === undefined)
    return anthropicTurn({
      text: "Let me look at your clock first.",
      toolCalls: [{ id: id("clock"), name: "readClock", args: {} }],
    });
  const { now, timeZone } = JSON.parse(clock);
  if (result("list") === undefined)
    return anthropicTurn({
      text: "Then I paint the page and write you a list for the evening.",
      toolCalls: [
        { id: id("colour"), name: "setColour", args: { colour: "teal" } },
        {
          id: id("list"),
          name: "showList",
          args: { title: "This evening", items: ["Water the plants", "Call Aiko", "Pack for Kyoto", "Early to bed"] },
        },
      ],
      deltaSize: 8,
    });
  return anthropicTurn({
    text: `Your clock says ${now.slice(0, 21)} in ${timeZone}. The list is above; the page is teal, which calms.`,
  });
}
