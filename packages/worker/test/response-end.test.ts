/** What may stand at the end of an answer: a provider wants its own items back, and refuses thoughts that nothing follows. */
import { type Block, type Event, type ReasoningData, type StopReason, schemes } from "@tsukumo/client";
import { describe, expect, it } from "vitest";
import { Worker } from "../src/index.js";
import { cut, ScriptedClient, text } from "./scripted.js";

type Piece = readonly [Block, string, ReasoningData?];

const compaction: Piece = [
  { type: "thinking" },
  "",
  {
    scheme: "openai-responses",
    extra: { item: { type: "compaction", id: "cmp_1", encrypted_content: "what was said" } },
  },
];
const summary: Piece = [
  { type: "thinking" },
  "",
  { scheme: "anthropic", extra: { block: { type: "compaction", content: "what was said" } } },
];
const picture: Piece = [
  { type: "thinking" },
  "",
  { scheme: "gemini", extra: { part: { inlineData: { mimeType: "image/png", data: "what was drawn" } } } },
];
const search: Piece = [
  { type: "server_tool_use", id: "s1", name: "web_search" },
  "",
  { scheme: "anthropic", extra: { block: { type: "server_tool_use", id: "s1", name: "web_search", input: {} } } },
];
const found: Piece = [
  { type: "tool_result", toolUseId: "s1", name: "web_search" },
  "",
  {
    scheme: "anthropic",
    extra: { block: { type: "web_search_tool_result", tool_use_id: "s1", content: ["what was found"] } },
  },
];
const signed: Piece = [{ type: "thinking" }, "hm", { scheme: "anthropic", signature: "sig" }];
const redacted: Piece = [{ type: "thinking" }, "", { scheme: "anthropic", encrypted: "x" }];
const encrypted: Piece = [
  { type: "thinking" },
  "",
  { scheme: "openai-responses", id: "rs_1", encrypted: "x", summary: [], extra: { content: [] } },
];
const bare: Piece = [{ type: "thinking" }, "hm"];
const said: Piece = [{ type: "text" }, "Hello"];
const empty: Piece = [{ type: "text" }, ""];

function stream(pieces: readonly Piece[], stopReason?: StopReason): Event[] {
  return pieces.flatMap(([block, told, reasoning], index): Event[] => [
    { type: "block_start", index, block },
    ...(told === "" ? [] : [{ type: "block_delta" as const, index, delta: { type: delta(block), text: told } }]),
    {
      type: "block_stop",
      index,
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(stopReason !== undefined && index === pieces.length - 1 ? { stopReason } : {}),
    },
  ]);
}

function delta(block: Block): "text" | "thinking" {
  return block.type === "text" ? "text" : "thinking";
}

const endings: readonly (readonly [string, readonly Piece[], number, number])[] = [
  // What the answer was, and how many of its pieces stay when it is whole and when it is interrupted.
  ["a compaction", [said, compaction], 2, 2],
  ["a compaction alone", [compaction], 1, 1],
  ["Anthropic's compaction", [said, summary], 2, 2],
  ["a picture", [said, picture], 2, 2],
  ["a compaction after a thought", [said, encrypted, compaction], 3, 3],
  ["a thought after a compaction", [said, compaction, encrypted], 2, 2],
  ["a result of the provider's own tool", [said, signed, search, found], 4, 4],
  ["a use of the provider's own tool", [said, signed, search], 3, 1],
  ["a signed thought", [said, signed], 1, 1],
  ["a redacted thought", [said, redacted], 1, 1],
  ["an encrypted thought", [said, encrypted], 1, 1],
  ["a bare thought", [said, bare], 1, 1],
  ["a thought before an empty text", [said, signed, empty], 1, 1],
  ["thoughts alone", [signed, redacted], 0, 0],
];

describe.each(endings)("an answer that ends in %s", (_, pieces, whole, interrupted) => {
  const after = async (turn: ConstructorParameters<typeof ScriptedClient>[0]) => {
    const worker = Worker.create(new ScriptedClient(turn, text("ok")), { maxContinuations: 0 });
    await worker.run("go").catch(() => undefined);
    return worker.history.slice(1).map((item) => (item.type === "reasoning" ? item.reasoning : item.type));
  };
  const left = (count: number) =>
    pieces.slice(0, count).map(([block, , reasoning]) => (block.type === "text" ? "message" : reasoning));

  it.each<StopReason>(["end_turn", "stop_sequence"])("is whole: %s", async (stopReason) => {
    expect(await after(stream(pieces, stopReason))).toEqual(left(whole));
  });

  it("is cut short", async () => {
    expect(await after(stream(pieces, "refusal"))).toEqual(left(interrupted));
  });

  it("is interrupted", async () => {
    const open: Event = { type: "block_start", index: pieces.length, block: { type: "text" } };
    expect(await after(cut([...stream(pieces), open]))).toEqual(left(interrupted));
  });
});

it.each([
  ["openai-responses", compaction, "what was said"],
  ["anthropic", summary, "what was said"],
  ["anthropic", found, "what was found"],
  ["gemini", picture, "what was drawn"],
] as const)("%s gets it back in the next request", async (scheme, piece, wanted) => {
  const client = new ScriptedClient(stream([said, piece], "end_turn"), text("ok"));
  const worker = Worker.create(client);
  await worker.run("go");
  await worker.run("and now?");
  const request = client.requests[1];
  expect(request && schemes[scheme].encode(request, { model: "m" })).toContain(wanted);
});
