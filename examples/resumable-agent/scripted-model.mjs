/** Plays the model where there is none: sends every invoice once, and looks before it sends one again. */
import { anthropicTurn, ReplayServer } from "@tsukumo/testing";
import { sceneOf } from "../scripted.mjs";

export function start() {
  return ReplayServer.start({ scheme: "anthropic", turns: answer, chunkSize: 60, delayMs: 15 });
}

export function answer(request) {
  const { id, result } = sceneOf(request);
  const list = result("customers");
  if (list === undefined)
    return anthropicTurn({
      text: "Who owes what?",
      toolCalls: [{ id: id("customers"), name: "listCustomers", args: {} }],
    });
  const customers = JSON.parse(list);
  const send = (round, due) =>
    anthropicTurn({
      text: `I send ${due.length} invoices.`,
      toolCalls: due.map(({ name, owes_yen }) => ({
        id: id(`${round}_${name}`),
        name: "sendInvoice",
        args: { customer: name, yen: owes_yen },
      })),
    });
  if (result(`first_${customers[0].name}`) === undefined) return send("first", customers);
  const inDoubt = customers.filter(({ name }) => !result(`first_${name}`).startsWith("Sent"));
  if (inDoubt.length === 0) return anthropicTurn({ text: `All ${customers.length} invoices are sent.` });
  const seen = result("sent");
  if (seen === undefined)
    return anthropicTurn({
      text: `Whether ${inDoubt.map(({ name }) => name).join(", ")} got one is in doubt. I look.`,
      toolCalls: [{ id: id("sent"), name: "listSent", args: {} }],
    });
  const got = new Set(JSON.parse(seen).map(({ customer }) => customer));
  const missing = inDoubt.filter(({ name }) => !got.has(name));
  if (missing.length > 0 && result(`second_${missing[0].name}`) === undefined) return send("second", missing);
  return anthropicTurn({ text: `All ${customers.length} invoices are sent, each once.` });
}
