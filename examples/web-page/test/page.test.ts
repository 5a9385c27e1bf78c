/** The built page in headless Chromium, with its own server between it and a scripted model. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { anthropicTurn, errorReply, hang, ReplayServer, type Turn } from "@tsukumo/testing";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath } from "../../../scripts/chromium.mjs";
import { build, Child, folderOf } from "../../child.js";

const EXAMPLE = "web-page";
const executablePath = chromiumPath();
if (executablePath === undefined) console.log("web-page: skipped, because there is no Chromium here.");

type Stop = () => unknown;
/** After each test, and after all. */
const closing: Stop[] = [];
const stopping: Stop[] = [];
const pageErrors: Error[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  expect(pageErrors.splice(0)).toEqual([]);
});

describe.skipIf(executablePath === undefined)("the page", () => {
  let browser: Browser;
  let model: ReplayServer;
  let url = "";
  let script: Turn[] = [];

  beforeAll(async () => {
    build(EXAMPLE);
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ["--no-sandbox"],
    });
    const next = () => script.shift() ?? errorReply(400, "script_over", "No turn is left.");
    model = await ReplayServer.start({ scheme: "anthropic", turns: next, chunkSize: 100, delayMs: 10 });
    const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "the-secret-key" };
    url = await serve(["node_modules/vite/bin/vite.js", "preview"], env, stopping);
  });
  afterAll(async () => {
    for (const stop of stopping.splice(0)) await stop();
    await browser?.close();
    await model?.close();
  });

  function open(...turns: readonly Turn[]): Promise<Page> {
    script = [...turns];
    model.requests.length = 0;
    return visit(url);
  }

  async function visit(url: string): Promise<Page> {
    const context = await browser.newContext({ timezoneId: "Asia/Tokyo", colorScheme: "light" });
    closing.push(() => context.close());
    const page = await context.newPage();
    page.on("pageerror", (error) => pageErrors.push(error));
    await page.goto(url);
    return page;
  }

  it("streams text and arguments, and runs the tools in the page", async () => {
    const items = ["Water the plants", "Call Aiko", "Pack for Kyoto", "Early to bed"];
    const page = await open(
      anthropicTurn({
        text: "Let me look at your clock.",
        toolCalls: [
          { id: "call_1", name: "readClock", args: {} },
          { id: "call_2", name: "setColour", args: { colour: "teal" } },
          { id: "call_3", name: "showList", args: { title: "This evening", items } },
        ],
        deltaSize: 8,
      }),
      anthropicTurn({ text: "It is done." }),
    );
    const before = await backgroundOf(page);
    const texts = await watch(page, ".answer");
    const written = await watch(page, ".tool code");
    await ask(page, "What now?");
    await page.getByText("It is done.").waitFor();

    expect(texts()).toContain("Let me look at your clock.");
    expect(texts().filter((text) => text !== "" && "Let me look at".startsWith(text))).not.toEqual([]);
    // Arguments showed while the model wrote them: a list with a point that is cut, before the whole list.
    const lists = written().filter((text) => text.includes("items"));
    expect(lists.filter((text) => text.includes("Water the") && !text.includes("Early to bed"))).not.toEqual([]);
    expect(JSON.parse(lists.at(-1) ?? "")).toEqual({ title: "This evening", items });

    expect(await page.locator("#list h2").textContent()).toBe("This evening");
    expect(await page.locator("#list li").allTextContents()).toEqual(items);
    await expect.poll(() => backgroundOf(page)).not.toBe(before);
    expect(await page.locator(".tool[data-state=done]").count()).toBe(3);
    expect(model.requests[1]?.body).toContain("Asia/Tokyo");
    expect(model.errors).toEqual([]);
  });

  it("has the key added by its server, and knows it nowhere", async () => {
    const page = await open(anthropicTurn({ text: "Hello." }));
    await ask(page, "Hello");
    await page.getByText("Hello.").waitFor();
    expect(model.requests[0]?.headers["x-api-key"]).toBe("the-secret-key");
    expect(model.requests[0]?.headers.origin).toBeUndefined();
    const dist = join(folderOf(EXAMPLE), "dist");
    const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const shipped = files.map((file) => readFileSync(join(file.parentPath, file.name), "utf8")).join("");
    expect(shipped).toContain("setColour");
    expect(shipped + (await page.content())).not.toContain("the-secret-key");
  });

  it("stops in the middle, and goes on afterwards", async () => {
    const endless = anthropicTurn({ text: "It begins and never ends." });
    const page = await open(hang(endless, endless.indexOf("ver ends")), anthropicTurn({ text: "Again." }));
    await ask(page, "Begin");
    await page.getByText("It begins").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Cancelled: stopped").waitFor();
    await expect.poll(() => model.active).toBe(0);
    await ask(page, "Once more");
    await page.getByText("Again.").waitFor();
  });

  it("tells of errors, and takes no text for HTML", async () => {
    const html = '<img src="x" onerror="document.title = \'changed\'">';
    const page = await open(
      anthropicTurn({
        text: html,
        toolCalls: [
          { id: "call_1", name: "showList", args: { title: html, items: [html] } },
          { id: "call_2", name: "setColour", args: { colour: "green" } },
        ],
      }),
      errorReply(400, "invalid_request_error", "Too much."),
    );
    await ask(page, "Break it");
    await page.getByText("Too much.").waitFor();
    expect(await page.locator("#list li").allTextContents()).toEqual([html]);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toBe("An agent in the page");
    expect(await page.locator(".tool[data-state=failed] output").textContent()).toContain("colour");
  });

  it("runs with one command and no key", async () => {
    // Vite serves a folder once.
    for (const stop of stopping.splice(0)) await stop();
    const page = await visit(await serve(["../run.mjs", EXAMPLE], { MODEL: "", BUILT: "1" }, closing));
    await ask(page, "What should I do?");
    await page.getByText("the page is teal, which calms").waitFor();
    expect(await page.locator("#list li").count()).toBe(4);
  });
});

/** The page's address, when its server is ready. */
async function serve(command: readonly string[], env: NodeJS.ProcessEnv, stops: Stop[]): Promise<string> {
  const port = String(await freePort());
  const child = new Child(EXAMPLE, [...command, "--host", "127.0.0.1", "--port", port, "--strictPort"], env);
  stops.push(async () => {
    child.kill("SIGTERM");
    await child.exited;
  });
  await child.told(new RegExp(`127\\.0\\.0\\.1:.*${port}`));
  return `http://127.0.0.1:${port}/`;
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

function backgroundOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

/** Every text that an element of the selector ever had. */
async function watch(page: Page, selector: string): Promise<() => string[]> {
  const seen: string[] = [];
  const name = `seen${selector.replace(/\W/g, "")}`;
  await page.exposeFunction(name, (texts: string[]) => seen.push(...texts));
  await page.evaluate(
    ([selector = "", name = ""]) => {
      new MutationObserver(() => {
        const texts = [...document.querySelectorAll(selector)].map((element) => element.textContent ?? "");
        Reflect.get(window, name)(texts);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    },
    [selector, name],
  );
  return () => seen;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
