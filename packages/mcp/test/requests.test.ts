/** Completion, pages, and prompts whose arguments are read from text, for clients of both revisions. */
import { rmSync, writeFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/client";
import { McpServer } from "@tsukumo/mcp";
import { promptDefinitions, resourceDefinitions, ToolOutput, ToolRegistry, toolMeta } from "@tsukumo/tool";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emitSource } from "../../../transformer/test/compile-source.js";
import { REVISIONS, type Served, serve } from "./connect.js";

const SOURCE = `
/** Plans a trip.
 * @prompt plan
 * @param city Where to
 * @param mode How
 * @param days How long
 * @param cheap Whether money matters */
export function plan(city: string, mode: "train" | "tram" | "plane", days = 1, cheap = false): string {
  return JSON.stringify({ city, mode, days, cheap });
}
/** Fails.
 * @prompt broken */
export function broken(): string { throw new Error("out of ideas"); }
/** A map.
 * @resource map:///{style}/{zoom}
 * @param style Its style
 * @param zoom How near */
export function map(style: "light" | "dark", zoom: number): string { return style + zoom; }
/** The legend.
 * @resource map:///legend */
export function legend(): string { return "legend"; }
`;

const CITIES = ["Kobe", "Kyoto", "Kyiv", "Nara"];
const NAMES = ["a", "B", "b", "c/d", "e é", "f%"];
let served: Served;

beforeAll(async () => {
  const file = new URL(`./compiled-${process.pid}.mjs`, import.meta.url);
  writeFileSync(file, emitSource(SOURCE));
  try {
    const module: object = await import(file.href);
    const registry = ToolRegistry.of(
      ...NAMES.map((name) => () => {
        const meta = toolMeta({ name, inputSchema: { type: "object" } });
        return [meta, { execute: async () => new ToolOutput(name) }] as const;
      }),
    );
    const server = McpServer.builder("requests", "1", registry)
      .withPrompts(...promptDefinitions(module))
      .withResources(...resourceDefinitions(module))
      .withOptions({
        pageSize: 2,
        completers: {
          plan: {
            city: (value, args) => CITIES.filter((city) => city.startsWith(value) && city !== args.not),
            days: async () => Array.from({ length: 250 }, (_, n) => String(n)),
            cheap: () => {
              throw new Error("no idea");
            },
          },
        },
      })
      .build();
    served = serve(server);
  } finally {
    rmSync(file);
  }
});
afterAll(() => served.close());

describe.each(REVISIONS)("revision %s", (_, mode) => {
  let client: Client;
  beforeAll(async () => {
    client = await served.connect(mode);
  });

  const prompt = { type: "ref/prompt", name: "plan" } as const;
  const template = { type: "ref/resource", uri: "map:///{style}/{zoom}" } as const;

  it.each([
    ["an enum by what was typed", prompt, "mode", "tr", {}, ["train", "tram"]],
    ["an enum in any case", prompt, "mode", "PL", {}, ["plane"]],
    ["nothing where no value fits", prompt, "mode", "x", {}, []],
    ["by the author's completer", prompt, "city", "Ky", {}, ["Kyoto", "Kyiv"]],
    ["by the completer, which sees the other arguments", prompt, "city", "Ky", { not: "Kyiv" }, ["Kyoto"]],
    ["nothing for an argument that is not known", prompt, "constructor", "", {}, []],
    ["a resource template's variable", template, "style", "d", {}, ["dark"]],
  ] as const)("completes %s", async (_case, ref, name, value, args, values) => {
    const { completion } = await client.complete({
      ref,
      argument: { name, value },
      context: { arguments: { ...args } },
    });
    expect(completion).toEqual({ values, total: values.length, hasMore: false });
  });

  it("gives at most 100 completions, and says that there are more", async () => {
    const { completion } = await client.complete({ ref: prompt, argument: { name: "days", value: "" } });
    expect(completion.values).toHaveLength(100);
    expect(completion).toMatchObject({ total: 250, hasMore: true });
  });

  it.each([
    ["an unknown prompt", { type: "ref/prompt", name: "no" }, -32602],
    ["an unknown template", { type: "ref/resource", uri: "map:///no" }, -32602],
  ] as const)("completing %s is an error", async (_case, ref, code) => {
    const completing = client.complete({ ref, argument: { name: "city", value: "" } });
    await expect(completing).rejects.toMatchObject({ code });
  });

  it("a completer that throws is an error, and the server lives", async () => {
    await expect(client.complete({ ref: prompt, argument: { name: "cheap", value: "" } })).rejects.toMatchObject({
      code: -32603,
    });
    await client.complete({ ref: prompt, argument: { name: "mode", value: "" } });
  });

  it("gives every tool once, page by page, whatever its name", async () => {
    const pages = await walk(async (cursor) => {
      const { tools, nextCursor } = await page("tools/list", cursor);
      return { names: tools.map(({ name }) => name), nextCursor };
    });
    expect(pages).toEqual([
      ["B", "a"],
      ["b", "c/d"],
      ["e é", "f%"],
    ]);
  });

  it("gives prompts, resources and templates in pages too; concrete resources are no templates", async () => {
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["broken", "plan"]);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["map:///legend"]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["map:///{style}/{zoom}"]);
  });

  it.each(["", "2", "after:%", "after%3Aa"])("the cursor %j, which no page gave, is an error", async (cursor) => {
    await expect(page("tools/list", cursor)).rejects.toMatchObject({ code: -32602 });
  });

  it.each<[string, Record<string, string>, object]>([
    ["text as what it is", { city: "Kobe", mode: "tram", days: "3", cheap: "true" }, { days: 3, cheap: true }],
    ["defaults where nothing is given", { city: "12", mode: "train" }, { city: "12", days: 1, cheap: false }],
  ])("a prompt reads %s", async (_case, args, expected) => {
    const { messages, description } = await client.getPrompt({ name: "plan", arguments: args });
    expect(description).toBe("Plans a trip.");
    expect(messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
    const [message] = messages;
    expect(JSON.parse(message?.content.type === "text" ? message.content.text : "")).toMatchObject(expected);
  });

  it.each<[string, string, Record<string, string>, number, RegExp]>([
    ["text that is no number", "plan", { city: "Kobe", mode: "tram", days: "soon" }, -32602, /days/],
    ["a value outside the enum", "plan", { city: "Kobe", mode: "foot" }, -32602, /mode/],
    ["a missing argument", "plan", { mode: "tram" }, -32602, /city/],
    ["a prompt that does not exist", "no", {}, -32602, /no/],
    ["a prompt that throws", "broken", {}, -32603, /out of ideas/],
  ])("%s is an error", async (_case, name, args, code, message) => {
    const getting = client.getPrompt({ name, arguments: args });
    await expect(getting).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each([
    ["map:///dark/3", "dark3"],
    ["map:///legend", "legend"],
  ])("reads %s", async (uri, text) => {
    expect((await client.readResource({ uri })).contents).toMatchObject([{ uri, text }]);
  });

  it.each([
    ["map:///dark/near", -32602],
    // Revision 2025-11-25 says -32002 on the wire; the client gives one code for both.
    ["other:///x", -32602],
  ])("reading %s is an error", async (uri, code) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code });
  });

  function page(method: "tools/list", cursor: string | undefined) {
    return client.request({ method, params: cursor === undefined ? {} : { cursor } });
  }
});

async function walk(
  page: (cursor: string | undefined) => Promise<{ names: string[]; nextCursor?: string | undefined }>,
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { names, nextCursor } = await page(cursor);
    pages.push(names);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}
