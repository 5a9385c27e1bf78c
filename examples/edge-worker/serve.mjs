/** Runs the bundle in workerd, as Cloudflare does; the notebook is kept in .notebook/. */
import { env } from "node:process";
import { Miniflare } from "miniflare";

const miniflare = new Miniflare({
  modules: true,
  scriptPath: "dist/worker.js",
  compatibilityDate: "2026-04-01",
  compatibilityFlags: ["enable_request_signal"],
  port: Number(env.PORT ?? 8787),
  kvNamespaces: ["NOTEBOOK"],
  kvPersist: ".notebook",
  bindings: {
    MODEL: env.MODEL ?? "claude-haiku-4-5",
    ANTHROPIC_API_KEY: env.ANTHROPIC_API_KEY ?? "",
    ANTHROPIC_BASE_URL: env.ANTHROPIC_BASE_URL ?? "",
  },
});
const url = await miniflare.ready;
console.log(`The worker runs. Ask it: curl -N ${url} -d '{"prompt":"What is my favourite colour?"}'`);
