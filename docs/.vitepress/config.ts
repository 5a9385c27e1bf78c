import { defineConfig, type MarkdownOptions } from "vitepress";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** Links to files of the repository that are no pages have nowhere to go on the site: their text stays. */
function dropRepositoryLinks(markdown: Markdown): void {
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const depth = String(env.relativePath ?? "").split("/").length - 1;
    for (const { children } of tokens) {
      let dropped = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") dropped = leavesDocs(String(token.attrGet("href") ?? ""), depth);
        if (!dropped || (token.type !== "link_open" && token.type !== "link_close")) continue;
        token.tag = "span";
        token.attrs = null;
        token.type = token.type === "link_open" ? "span_open" : "span_close";
        if (token.type === "span_close") dropped = false;
      }
    }
  });
}

/** @param depth how many folders the page is below docs */
function leavesDocs(href: string, depth: number): boolean {
  const ups = /^(?:\.\/)?((?:\.\.\/)*)/.exec(href)?.[1] ?? "";
  return ups.length / 3 > depth;
}

export default defineConfig({
  title: "tsukumo",
  description: "Plain TypeScript functions as tools for language models, compiled when your program is built",
  lang: "en",
  srcExclude: ["fixtures/**"],
  cleanUrls: true,
  head: [["link", { rel: "icon", href: "/favicon.svg" }]],
  markdown: { theme: { light: "github-light", dark: "github-dark" }, config: dropRepositoryLinks },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Get started", link: "/start/" },
      { text: "Authoring", link: "/authoring/functions" },
      { text: "Worker", link: "/worker" },
      { text: "Benchmarks", link: "/benchmarks" },
    ],
    sidebar: [
      {
        text: "Getting started",
        items: [
          { text: "Which way?", link: "/start/" },
          { text: "tsc", link: "/start/tsc" },
          { text: "Vite", link: "/start/vite" },
          { text: "esbuild and other bundlers", link: "/start/esbuild" },
          { text: "Bun, Deno, swc", link: "/start/codegen" },
          { text: "TypeScript 7", link: "/start/typescript-7" },
        ],
      },
      {
        text: "Authoring",
        items: [
          { text: "Functions", link: "/authoring/functions" },
          { text: "Types", link: "/authoring/types" },
          { text: "Tags", link: "/authoring/tags" },
          { text: "Return types", link: "/authoring/outputs" },
          { text: "Diagnostics", link: "/diagnostics" },
        ],
      },
      {
        text: "Running tools",
        items: [
          { text: "The worker", link: "/worker" },
          { text: "Providers", link: "/providers" },
          { text: "Adding a scheme", link: "/scheme" },
          { text: "Outputs and safety", link: "/outputs" },
          { text: "MCP", link: "/mcp" },
          { text: "The command", link: "/cli" },
          { text: "Other SDKs", link: "/sdks" },
          { text: "Testing", link: "/testing" },
        ],
      },
      {
        text: "Coming from",
        items: [
          { text: "zod and AI SDK", link: "/migrate/ai-sdk" },
          { text: "The MCP SDK", link: "/migrate/mcp-sdk" },
        ],
      },
      {
        text: "To look at",
        items: [
          { text: "Examples", link: "/examples" },
          { text: "Benchmarks", link: "/benchmarks" },
        ],
      },
    ],
  },
});
