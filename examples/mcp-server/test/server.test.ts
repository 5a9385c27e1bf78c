/** The official client against the server as a child process, over both transports. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { build, Child, folderOf } from "../../child.js";

const EXAMPLE = "mcp-server";
const folder = folderOf(EXAMPLE);
const main = join(folder, "dist/main.js");

let notes = "";
const closing: (() => unknown)[] = [];

beforeAll(() => build(EXAMPLE));
beforeEach(() => {
  notes = mkdtempSync(join(tmpdir(), "mcp-server-"));
  cpSync(join(folder, "notes"), notes, { recursive: true });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(notes, { recursive: true });
});

async function overStdio(): Promise<Client> {
  const client = newClient();
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main], env: { NOTES: notes }, stderr: "ignore" }),
  );
  return client;
}

async function overHttp(): Promise<Client> {
  const server = new Child(EXAMPLE, [main, "--http", "0"], { NOTES: notes });
  closing.push(async () => {
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  });
  const [, url = ""] = await server.told(/at (http:\S+)/);
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

function newClient(): Client {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  closing.push(() => client.close());
  return client;
}

describe.each([
  ["stdio", overStdio],
  ["HTTP", overHttp],
] as const)("over %s", (_, connect) => {
  it("lists the folder's tools with what they do", async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toMatchObject([
      ["addToNote", { readOnlyHint: false, destructiveHint: false }],
      ["deleteNote", { readOnlyHint: false, destructiveHint: true }],
      ["listNotes", { readOnlyHint: true }],
      ["searchNotes", { readOnlyHint: true }],
    ]);
    expect(tools.find(({ name }) => name === "searchNotes")?.inputSchema).toMatchObject({
      properties: { text: { type: "string", description: "What to look for" }, limit: { default: 20 } },
      required: ["text"],
    });
  });

  it("calls them", async () => {
    const client = await connect();
    const found = await client.callTool({ name: "searchNotes", arguments: { text: "WATER", limit: 5 } });
    expect(found.structuredContent).toEqual({
      matches: [
        { note: "garden", line: 4, text: "The tomatoes want water every second day." },
        { note: "kyoto", line: 4, text: "Buy water and oranges for the way." },
      ],
    });
    await client.callTool({ name: "addToNote", arguments: { note: "kyoto", line: "Return on Sunday." } });
    expect(readFileSync(join(notes, "kyoto.md"), "utf8")).toMatch(/way\.\nReturn on Sunday\.\n$/);
    await client.callTool({ name: "addToNote", arguments: { note: "books", line: "Kokoro" } });
    expect(readFileSync(join(notes, "books.md"), "utf8")).toBe("# books\n\nKokoro\n");
    await client.callTool({ name: "deleteNote", arguments: { note: "garden" } });
    expect(existsSync(join(notes, "garden.md"))).toBe(false);
  });

  it.each([
    ["deleteNote", { note: "nothing" }, "There is no note nothing. There are: garden, kyoto."],
    ["addToNote", { note: "../escape", line: "x" }, "A note's name has letters, digits, spaces, - and _."],
    ["searchNotes", { text: 5, limits: 1 }, "limits"],
  ])("tells what is wrong with %s %j", async (name, args, told) => {
    const result = await (await connect()).callTool({ name, arguments: args });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(told) }] });
  });

  it("gives a prompt and a resource, and completes their arguments", async () => {
    const client = await connect();
    expect((await client.listPrompts()).prompts).toMatchObject([
      {
        name: "openEnds",
        arguments: [
          { name: "note", required: true },
          { name: "language", required: false },
        ],
      },
    ]);
    const prompt = await client.getPrompt({ name: "openEnds", arguments: { note: "garden", language: "French" } });
    expect(prompt.messages).toMatchObject([{ content: { text: expect.stringMatching(/in French.*Sow the basil/s) } }]);

    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: "note:///{name}", mimeType: "text/markdown" },
    ]);
    const resource = await client.readResource({ uri: "note:///kyoto" });
    expect(resource.contents).toMatchObject([{ text: readFileSync(join(notes, "kyoto.md"), "utf8") }]);

    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "note:///{name}" },
      argument: { name: "name", value: "ky" },
    });
    expect(completion.values).toEqual(["kyoto"]);
  });
});
