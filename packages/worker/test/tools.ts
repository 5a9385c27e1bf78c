/** Tools for tests. */
import { type ToolContext, type ToolDefinition, type ToolEffect, ToolOutput, toolMeta } from "@tsukumo/tool";

export function tool(
  name: string,
  body: (args: Record<string, unknown>, context: ToolContext) => unknown,
  effect: ToolEffect = "mutating",
): ToolDefinition {
  return () => [
    toolMeta({ name, effect, description: `${name}, for tests`, inputSchema: { type: "object" } }),
    {
      execute: async (inputJson, context) => {
        const args: unknown = inputJson === "" ? {} : JSON.parse(inputJson);
        return ToolOutput.from(await body({ ...Object(args) }, context));
      },
    },
  ];
}

/** Opens when `count` have arrived: shows that they were under way at once. */
export class Barrier {
  #missing: number;
  readonly #open: Promise<void>;
  #release: () => void = () => undefined;

  constructor(count: number) {
    this.#missing = count;
    this.#open = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  arrive(): Promise<void> {
    this.#missing -= 1;
    if (this.#missing <= 0) this.#release();
    return this.#open;
  }
}

/** A promise that the test settles. */
export class Gate<T = void> {
  readonly promise: Promise<T>;
  open: (value: T) => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}
