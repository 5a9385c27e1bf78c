/** The documentation's site, built and opened in a real browser: page by page, light and dark, wide and narrow. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath } from "../scripts/chromium.mjs";
import { ROOT, run } from "./run-command.js";

const DIST = join(ROOT, "docs/.vitepress/dist");
/** Where to put a picture of each page; none are taken without it. */
const PICTURES = process.env.TSUKUMO_DOCS_PICTURES;
const VIEWS = [
  ["very-wide", 1800, "light"],
  ["wide", 1280, "dark"],
  ["narrow", 390, "light"],
  ["narrow-dark", 390, "dark"],
] as const;
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".woff2": "font/woff2",
};

const wanted = process.env.TSUKUMO_DOCS === "1";
const executablePath = wanted ? chromiumPath() : undefined;
if (executablePath === undefined)
  console.warn(
    wanted
      ? "The site is not tested: there is no Chromium. Set CHROMIUM_PATH."
      : "The site is not tested: run `npm run docs:test`.",
  );

describe.skipIf(executablePath === undefined)("the site", () => {
  let server: Server;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    // VitePress fails for dead links.
    const { code, stdout, stderr } = await run("npm", ["run", "docs:build"]);
    expect(code, stdout + stderr).toBe(0);
    server = createServer((request, response) => {
      const file = fileOf(new URL(request.url ?? "/", "http://localhost").pathname);
      response.writeHead(file === undefined ? 404 : 200, {
        "content-type": TYPES[extname(file ?? "")] ?? "text/plain",
      });
      response.end(file === undefined ? "" : readFileSync(join(DIST, file)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it("every page has one heading, says no error, and is not wider than the window", async () => {
    const page = await browser.newPage();
    const complaints = listen(page);
    expect(pages().length).toBeGreaterThan(18);
    for (const path of pages()) {
      await page.goto(url + path, { waitUntil: "networkidle" });
      for (const [view, width, scheme] of VIEWS) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await page.waitForFunction(
          (dark) => document.documentElement.classList.contains("dark") === dark,
          scheme === "dark",
        );
        const found = await page.evaluate(() => ({
          headings: document.querySelectorAll("h1").length,
          missing: document.querySelector(".NotFound") !== null,
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        }));
        expect({ path, view, ...found }).toEqual({ path, view, headings: 1, missing: false, overflow: 0 });
        await picture(page, `${path.replaceAll("/", "-").slice(1) || "index"}-${view}`);
      }
    }
    expect(complaints).toEqual([]);
    await page.close();
  }, 180_000);

  it("the search finds a page", async () => {
    const page = await browser.newPage();
    const complaints = listen(page);
    await page.goto(url, { waitUntil: "networkidle" });
    await page.click("#local-search button");
    await page.fill(".VPLocalSearchBox input", "PreToolCall");
    expect(await page.getAttribute(".VPLocalSearchBox .result", "href")).toContain("/worker");
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it("every link of the sidebar leads to a page", async () => {
    const page = await browser.newPage();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${url}/worker`, { waitUntil: "networkidle" });
    const links = await page.$$eval(".VPSidebar a.link, .VPNavBarMenu a", (all) =>
      all.map((link) => new URL(link.getAttribute("href") ?? "", location.href).pathname),
    );
    expect(links.length).toBeGreaterThan(18);
    expect(links.filter((path) => fileOf(path) === undefined)).toEqual([]);
    await page.close();
  });

  it("every link to a heading has one", () => {
    const broken = pages().flatMap((path) => {
      const links = [...html(path).matchAll(/ href="([^"#]*)#([^"]+)"/g)];
      return links.flatMap(([link, target = "", id = ""]) => {
        if (target.includes("://")) return [];
        return html(new URL(target, `http://localhost${path}`).pathname).includes(` id="${decodeURIComponent(id)}"`)
          ? []
          : [`${path}:${link}`];
      });
    });
    expect(broken).toEqual([]);
  });

  /** What the browser complains of. */
  function listen(page: Page): string[] {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`${page.url()}: ${String(error)}`));
    page.on("requestfailed", (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
    page.on("response", (response) => {
      if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith("data:"))
        complaints.push(`${request.url()}: from elsewhere`);
    });
    return complaints;
  }
});

/** As a web server does that takes `.html` away. */
function fileOf(path: string): string | undefined {
  const name = path.slice(1);
  return [name, `${name}.html`, `${name}index.html`, `${name}/index.html`].find((file) => siteFiles().has(file));
}

function html(path: string): string {
  return readFileSync(join(DIST, fileOf(path) ?? "404.html"), "utf8");
}

let known: ReadonlySet<string> | undefined;
function siteFiles(): ReadonlySet<string> {
  known ??= new Set(
    readdirSync(DIST, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(DIST.length + 1)),
  );
  return known;
}

function pages(): string[] {
  return [...siteFiles()]
    .filter((file) => file.endsWith(".html") && file !== "404.html")
    .map((file) => `/${file.replace(/(?:index)?\.html$/, "")}`)
    .sort();
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${join(PICTURES, name)}.png` });
}
