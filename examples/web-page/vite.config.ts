import { env } from "node:process";
import tsukumo from "@tsukumo/unplugin/vite";
import { defineConfig, type ProxyOptions } from "vite";

/** The page asks this server, which adds the key: no key ever reaches the browser. */
const model: ProxyOptions = {
  target: env.ANTHROPIC_BASE_URL ?? "https://api.anthropic.com",
  changeOrigin: true,
  rewrite: (path) => path.replace(/^\/model/, ""),
  headers: { "x-api-key": env.ANTHROPIC_API_KEY ?? "" },
  configure: (proxy) => {
    // Anthropic takes a request with an Origin for one that a page sent with a key of its own.
    proxy.on("proxyReq", (request) => request.removeHeader("origin"));
  },
};

export default defineConfig({
  plugins: [tsukumo()],
  define: { MODEL: JSON.stringify(env.MODEL ?? "claude-sonnet-4-5") },
  server: { proxy: { "/model": model } },
  preview: { proxy: { "/model": model } },
});
