/** The pages of the documentation that scripts write are what the scripts give. */
import { expect, it } from "vitest";
import { run } from "./run-command.js";

it.each(["docs-authoring", "docs-cli"])(
  "scripts/%s.mjs --check",
  async (script) => {
    const { code, stderr } = await run(process.execPath, [`scripts/${script}.mjs`, "--check"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  },
  120_000,
);
