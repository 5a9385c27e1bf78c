import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "transformer/test/**/*.test.ts",
      "cli/test/**/*.test.ts",
      "examples/*/test/**/*.test.ts",
      "tests/**/*.test.ts",
    ],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
