/** The benchmark times answers that are whole, and that say the same on every wire. */
import { expect, test } from "vitest";
import { STREAMS } from "../bench/streams.mjs";
import { type SchemeName, schemes } from "../src/index.js";
import { decodeText, expectWellFormed } from "./support/decode.js";

test.each(Object.keys(schemes).filter((name): name is SchemeName => name in schemes))("%s", (name) => {
  const events = decodeText(name, STREAMS[name](100));
  expectWellFormed(events);
  const text = (from: typeof events) =>
    from.map((event) => (event.type === "block_delta" ? event.delta.text : "")).join("");
  expect(text(events)).toBe(text(decodeText("anthropic", STREAMS.anthropic(100))));
  expect(events.filter((event) => event.type === "unhandled")).toEqual([]);
  expect(events.at(-1)).toEqual({ type: "status", status: "completed" });
});
