/** Plays the model where there is none: looks around, writes the open points to a file, and asks to remove it again. */
import { anthropicTurn, ReplayServer } from "@tsukumo/testing";
import { sceneOf } from "../scripted.mjs";

export function start() {
  return ReplayServer.start({ scheme: "anthropic", turns: answer, chunkSize: 60, delayMs: 15 });
}

function answer(request) {
  const { id, result } = sceneOf(request);
  const call = (key, name, args = {}) => ({ id: id(key), name, args });
  if (result("list") === undefined)
    return anthropicTurn({
      text: "Let me look at the folder and the clock.",
      toolCalls: [call("list", "listFiles"), call("time", "currentTime", { timeZone: "Asia/Tokyo" })],
    });
  const todo = result("read");
  if (todo === undefined) return anthropicTurn({ toolCalls: [call("read", "readFile", { path: "todo.md" })] });
  const open = todo.split("\n").filter((line) => line.startsWith("- [ ]"));
  if (result("write") === undefined)
    return anthropicTurn({
      text: `There are ${open.length} open points. I write them to open.md.`,
      toolCalls: [call("write", "writeFile", { path: "open.md", text: `${open.join("\n")}\n` })],
    });
  const removed = result("remove");
  if (removed === undefined)
    return anthropicTurn({
      text: "This was only a demonstration, so I remove open.md again.",
      toolCalls: [call("remove", "removeFile", { path: "open.md" })],
    });
  return anthropicTurn({
    text: removed.startsWith("Removed") ? "Done, and nothing is left behind." : "Then open.md stays where it is.",
  });
}
